package io.tidemark.server.rpc;

import io.tidemark.coordination.broker.ProducerIds;
import java.util.function.Consumer;

/** Where new producer ids come from: {@code ProducerIds::allocate}, whose contract this is. Never blocks, never throws. */
@FunctionalInterface
public interface ProducerIdSource {
    /** @param answer given exactly once, on any thread */
    void allocate(Consumer<ProducerIds.Allocated> answer);
}
