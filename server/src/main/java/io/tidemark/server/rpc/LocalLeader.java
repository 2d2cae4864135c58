package io.tidemark.server.rpc;

import io.tidemark.runtime.Cancellable;
import io.tidemark.wire.v1.DeleteRecordsRequest;
import io.tidemark.wire.v1.DeleteRecordsResponse;
import java.time.Duration;
import java.util.function.Consumer;

/** What is asked of this broker as a partition's leader, in messages. Thread-safe; never blocks. */
public final class LocalLeader {
    /** Left of the caller's time to carry the answer to it. */
    private static final Duration RESERVE = Duration.ofMillis(100);

    private final DeleteRecordsPort deletions;

    public LocalLeader(DeleteRecordsPort deletions) {
        this.deletions = deletions;
    }

    /**
     * Deletes records, if this broker leads the partition.
     *
     * @param request names a partition that can be
     * @param timeout of the caller; whether all replicas followed is told shortly before it is over
     * @param answer given the response exactly once, on any thread
     * @return for a caller that is gone: {@code answer} is then not called
     */
    public Cancellable deleteRecords(
            DeleteRecordsRequest request, Duration timeout, Consumer<DeleteRecordsResponse> answer) {
        return deletions.delete(
                DeleteRecordsMapper.fromWire(request, timeout.minus(RESERVE)),
                result -> answer.accept(DeleteRecordsMapper.toWire(result)));
    }
}
