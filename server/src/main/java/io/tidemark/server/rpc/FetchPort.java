package io.tidemark.server.rpc;

import io.tidemark.replication.fetch.ConsumerFetch;
import io.tidemark.runtime.Cancellable;
import java.util.List;
import java.util.function.Consumer;

/** Where consumers' fetches go: {@code FetchHandler::fetch}, whose contract this is. Never waits. */
@FunctionalInterface
public interface FetchPort {
    /**
     * @param answer given one result for each entry, in order, exactly once, on any thread
     * @return for a caller that is gone: {@code answer} is then not called
     */
    Cancellable fetch(ConsumerFetch.Request request, Consumer<List<ConsumerFetch.Result>> answer);
}
