package io.tidemark.client.producer;

import io.tidemark.client.net.BrokerConnection;
import io.tidemark.client.net.ClientTransport;
import io.tidemark.client.net.FetchLane;
import io.tidemark.client.net.Metadata;
import io.tidemark.client.net.Reply;
import io.tidemark.client.net.Wire;
import io.tidemark.model.Endpoint;
import io.tidemark.model.ErrorCode;
import io.tidemark.model.TopicPartition;
import io.tidemark.record.RecordBatch;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;

/** Brokers 1 and 2 of one topic with two partitions: metadata is answered at once, produces when the test says so. */
final class FakeCluster implements ClientTransport {
    static final String TOPIC = "orders";

    /** A produce that a broker has, one partition each. */
    record Produced(
            int broker,
            TopicPartition partition,
            int leaderEpoch,
            RecordBatch batch,
            Consumer<Reply<List<Wire.ProduceResult>>> answer) {
        void succeed(long baseOffset) {
            answer(ErrorCode.NONE, baseOffset);
        }

        void fail(ErrorCode error) {
            answer(error, -1);
        }

        private void answer(ErrorCode error, long baseOffset) {
            answer.accept(Reply.of(List.of(new Wire.ProduceResult(partition, error, "as told", baseOffset, -1, -1))));
        }

        void breakStream() {
            answer.accept(Reply.failed(ErrorCode.REQUEST_TIMED_OUT, "the stream broke"));
        }
    }

    private final List<Produced> produced = new ArrayList<>();
    private final SortedMap<Integer, Metadata.Partition> partitions = new TreeMap<>();
    /** Further topics with the same leaders. */
    final SortedSet<String> created = new TreeSet<>();

    private long lastProducerId = 100;

    FakeCluster() {
        lead(0, 1, 1);
        lead(1, 1, 1);
    }

    void lead(int partition, int leader, int epoch) {
        List<Integer> both = List.of(1, 2);
        partitions.put(partition, new Metadata.Partition(partition, leader, epoch, epoch, both, both, List.of(), 1));
    }

    /** What came since the last call. */
    List<Produced> takeProduced() {
        List<Produced> taken = List.copyOf(produced);
        produced.clear();
        return taken;
    }

    static Endpoint endpoint(int broker) {
        return new Endpoint("broker", broker);
    }

    @Override
    public BrokerConnection connect(Endpoint broker) {
        return new Connection(broker.port());
    }

    @Override
    public void close() {}

    private Metadata metadata(Wire.MetadataCall call) {
        SortedMap<Integer, Metadata.Broker> brokers = new TreeMap<>();
        for (int id = 1; id <= 2; id++) {
            brokers.put(id, new Metadata.Broker(id, endpoint(id), null, ""));
        }
        SortedMap<String, Metadata.Topic> topics = new TreeMap<>();
        for (String name : call.topics()) {
            topics.put(
                    name,
                    new Metadata.Topic(
                            name, ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, "", new TreeMap<>(), new TreeMap<>()));
        }
        for (String name : created) {
            topics.put(
                    name, new Metadata.Topic(name, ErrorCode.NONE, name, new TreeMap<>(), new TreeMap<>(partitions)));
        }
        topics.put(TOPIC, new Metadata.Topic(TOPIC, ErrorCode.NONE, "id", new TreeMap<>(), new TreeMap<>(partitions)));
        return new Metadata("cluster", 1, 1, 1, brokers, topics);
    }

    private final class Connection implements BrokerConnection {
        private final int broker;

        Connection(int broker) {
            this.broker = broker;
        }

        @Override
        public void produce(Wire.ProduceCall call, Consumer<Reply<List<Wire.ProduceResult>>> answer) {
            for (Wire.ProducePart part : call.parts()) {
                RecordBatch batch = RecordBatch.at(part.batches(), 0);
                produced.add(new Produced(broker, part.partition(), part.leaderEpoch(), batch, answer));
            }
        }

        @Override
        public void metadata(Wire.MetadataCall call, Consumer<Reply<Metadata>> answer) {
            answer.accept(Reply.of(FakeCluster.this.metadata(call)));
        }

        @Override
        public void initProducerId(Consumer<Reply<Wire.ProducerIdentity>> answer) {
            answer.accept(Reply.of(new Wire.ProducerIdentity(++lastProducerId, (short) 0)));
        }

        @Override
        public FetchLane openFetches() {
            throw notAsked();
        }

        @Override
        public void listOffsets(List<Wire.OffsetQuery> queries, Consumer<Reply<List<Wire.OffsetResult>>> answer) {
            throw notAsked();
        }

        @Override
        public void createTopic(Wire.TopicCreation topic, Consumer<Reply<String>> answer) {
            throw notAsked();
        }

        @Override
        public void deleteTopic(String topic, Consumer<Reply<String>> answer) {
            throw notAsked();
        }

        @Override
        public void transferLeader(TopicPartition partition, int toBroker, Consumer<Reply<Integer>> answer) {
            throw notAsked();
        }

        private AssertionError notAsked() {
            return new AssertionError("a producer does not ask broker " + broker + " for this");
        }

        @Override
        public void close() {}
    }
}
