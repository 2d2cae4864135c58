package io.tidemark.client.net;

import io.tidemark.model.TopicPartition;
import io.tidemark.runtime.Cancellable;
import java.util.List;
import java.util.SortedMap;
import java.util.function.Consumer;

/**
 * One broker, as a client reaches it. Nothing blocks or throws; each answer is given exactly once, on any thread, also after
 * a loss (then as a failure). Produces go over one stream, in the order of the calls; so do the fetches of each lane.
 */
public interface BrokerConnection extends AutoCloseable {
    void produce(Wire.ProduceCall call, Consumer<Reply<List<Wire.ProduceResult>>> answer);

    /** A lane for one reader's fetches, which it closes when it is done; the connection's end closes it too. */
    FetchLane openFetches();

    void metadata(Wire.MetadataCall call, Consumer<Reply<Metadata>> answer);

    void initProducerId(Consumer<Reply<Wire.ProducerIdentity>> answer);

    /**
     * Answers in the order of the queries.
     *
     * @return calls it off: what comes then, if anything, means nothing
     */
    Cancellable listOffsets(List<Wire.OffsetQuery> queries, Consumer<Reply<List<Wire.OffsetResult>>> answer);

    /** Answers the topic's id. */
    void createTopic(Wire.TopicCreation topic, Consumer<Reply<String>> answer);

    void deleteTopic(String topic, Consumer<Reply<String>> answer);

    /** Answers all overrides that the topic has afterwards. */
    void alterTopic(Wire.TopicAlteration topic, Consumer<Reply<SortedMap<String, String>>> answer);

    /** Answers the new leader epoch. */
    void transferLeader(TopicPartition partition, int toBroker, Consumer<Reply<Integer>> answer);

    /**
     * Deletes a partition's records; any broker passes it on to the leader. Answers the first offset that is left.
     *
     * @param beforeOffset first offset to keep, or -1 for the high watermark
     */
    void deleteRecords(TopicPartition partition, long beforeOffset, Consumer<Reply<Long>> answer);

    /** The broker is up, by the news: if the connection is broken it is tried at once, whatever pause it is in. */
    void reconnect();

    /** Fails what is open and releases the connection. Idempotent. */
    @Override
    void close();
}
