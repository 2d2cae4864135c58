package io.tidemark.server.rpc;

import io.tidemark.replication.deletion.DeleteRecords;
import io.tidemark.runtime.Cancellable;
import java.util.function.Consumer;

/** Deletes records that this broker leads. Thread-safe; never blocks. */
@FunctionalInterface
public interface DeleteRecordsPort {
    /**
     * @param answer given the result exactly once, on any thread
     * @return for a caller that is gone: {@code answer} is then not called
     */
    Cancellable delete(DeleteRecords.Request request, Consumer<DeleteRecords.Result> answer);
}
