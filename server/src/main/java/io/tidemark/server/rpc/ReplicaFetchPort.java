package io.tidemark.server.rpc;

import io.tidemark.replication.fetch.ReplicaFetch;
import io.tidemark.runtime.Cancellable;
import java.util.function.Consumer;

/** Where followers' fetches go: {@code FetchHandler::fetchAsReplica}, whose contract this is. Never waits. */
@FunctionalInterface
public interface ReplicaFetchPort {
    /**
     * @param answer given the answer exactly once, on any thread
     * @return for a connection that is gone: {@code answer} is then not called
     */
    Cancellable fetch(ReplicaFetch.Request request, Consumer<ReplicaFetch.Answer> answer);
}
