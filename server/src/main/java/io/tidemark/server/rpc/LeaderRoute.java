package io.tidemark.server.rpc;

import io.tidemark.runtime.Cancellable;
import io.tidemark.wire.v1.DeleteRecordsRequest;
import io.tidemark.wire.v1.DeleteRecordsResponse;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * The way to the leader of a partition, be it another broker or this one. One attempt. Never blocks, never throws; the answer is
 * given exactly once, on any thread, at most {@code timeout} from now.
 */
@FunctionalInterface
public interface LeaderRoute {
    /**
     * Passes a deletion of records on.
     *
     * @param request names a partition that can be
     * @return for a caller that is gone: nobody waits for the replicas any more, and {@code answer} may not be called
     */
    Cancellable deleteRecords(
            DeleteRecordsRequest request, Duration timeout, Consumer<Forwarded<DeleteRecordsResponse>> answer);
}
