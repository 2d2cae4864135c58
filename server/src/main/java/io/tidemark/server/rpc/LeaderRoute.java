package io.tidemark.server.rpc;

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
    /** @param request names a partition that can be */
    void deleteRecords(
            DeleteRecordsRequest request, Duration timeout, Consumer<Forwarded<DeleteRecordsResponse>> answer);
}
