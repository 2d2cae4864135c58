package io.tidemark.coordination.broker;

import io.tidemark.model.ErrorCode;
import io.tidemark.model.TopicPartition;
import java.util.List;
import java.util.function.Consumer;

/**
 * A broker's way to the controller, for what is not replication's. Never blocks, never throws; each answer is given
 * exactly once, on any thread.
 */
public interface ControllerChannel {
    /** Asks to be taken out of leaderships and in-sync sets before stopping. */
    void controlledShutdown(long brokerEpoch, Consumer<ShutdownAnswer> answer);

    /** Asks for a block of producer ids. */
    void allocateProducerIds(long brokerEpoch, Consumer<ProducerIdsAnswer> answer);

    /** @param remaining partitions that the broker still leads because nobody else can */
    record ShutdownAnswer(ErrorCode error, List<TopicPartition> remaining) {}

    /** Ids {@code first} to {@code first + count - 1}, for this broker alone. */
    record ProducerIdsAnswer(ErrorCode error, long first, int count) {}
}
