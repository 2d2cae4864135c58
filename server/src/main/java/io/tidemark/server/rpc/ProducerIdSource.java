package io.tidemark.server.rpc;

import io.tidemark.model.ErrorCode;
import java.util.function.Consumer;

/**
 * Where new producer ids come from: blocks that the controller allocated. Never blocks, never throws; the answer is given
 * exactly once, on any thread.
 */
@FunctionalInterface
public interface ProducerIdSource {
    /** Asks for an id that nobody else gets. */
    void next(Consumer<Result> answer);

    /**
     * What came of it.
     *
     * @param error NONE, or why there is no id now
     * @param producerId -1 on an error
     */
    record Result(ErrorCode error, long producerId) {}
}
