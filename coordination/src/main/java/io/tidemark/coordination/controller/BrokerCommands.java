package io.tidemark.coordination.controller;

import io.tidemark.coordination.broker.PeerIdentifier;
import io.tidemark.coordination.broker.Push;
import io.tidemark.model.BrokerRegistration;
import io.tidemark.model.TopicId;
import io.tidemark.model.TopicPartition;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The controller's way to brokers: a stream of pushes to each, which stays open from the first push on, and questions. That
 * a stream ended without {@link #disconnect} is told to {@link ControllerLoop#brokerStreamBroke}. Never blocks, never throws; each answer is given exactly once, on any thread, with null
 * for "no answer" (refused, broken, or silent for the port's time limit).
 */
public interface BrokerCommands extends PeerIdentifier {
    /** Sends a push; the stream to a broker keeps order. */
    void push(BrokerRegistration to, Push.Request push, Consumer<Push.@Nullable Answer> answer);

    /** Opens the stream to a broker without a push, unless it is open; if that cannot be, it breaks. */
    void hold(BrokerRegistration to);

    /** Asks how far logs go, for a recovery election. */
    void describeLogEnds(BrokerRegistration of, List<LogQuery> logs, Consumer<@Nullable LogEnds> answer);

    /** Drops what is held open for a broker that is gone. */
    void disconnect(int brokerId);

    /** Which log. */
    record LogQuery(TopicId topicId, TopicPartition partition) {}

    /** @param brokerEpoch of the broker when it answered */
    record LogEnds(long brokerEpoch, List<LogEndAnswer> ends) {}

    /** @param lastEpoch -1 for an empty or absent log */
    record LogEndAnswer(TopicPartition partition, boolean present, int lastEpoch, long logEndOffset) {}
}
