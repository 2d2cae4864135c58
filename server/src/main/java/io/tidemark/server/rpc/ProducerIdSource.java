package io.tidemark.server.rpc;

import io.tidemark.coordination.broker.ProducerIds;
import java.util.function.Consumer;

/**
 * Where new producer ids come from: blocks that the controller allocated. Never blocks, never throws; the answer is given
 * exactly once, on any thread.
 */
@FunctionalInterface
public interface ProducerIdSource {
    /** Asks for an id that nobody else gets. */
    void next(Consumer<ProducerIds.Allocated> answer);
}
