package io.tidemark.server.rpc;

import io.tidemark.model.ErrorCode;
import java.util.function.Consumer;

/**
 * Where new producer ids come from: blocks that the controller allocated. Never blocks, never throws; the answer is given
 * exactly once, on any thread.
 */
@FunctionalInterface
public interface ProducerIdSource {
    void next(Consumer<Result> answer);

    /**
     * @param error NONE, or why there is no id now
     * @param producerId that nobody else gets; -1 on an error
     */
    record Result(ErrorCode error, long producerId) {}
}
