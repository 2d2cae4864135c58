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
import io.tidemark.runtime.Cancellable;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;

/** Brokers 1 and 2 of one topic with two partitions: metadata is answered at once, produces when the test says so. */
public final class FakeCluster implements ClientTransport {
    public static final String TOPIC = "orders";
    /** Where every partition starts, and ends. */
    public static final long EARLIEST = 40;

    public static final long LATEST = 90;

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

    /** A fetch that a broker has. */
    public record Fetched(int broker, Wire.FetchCall call, Consumer<Reply<List<Wire.FetchResult>>> answer) {}

    private final List<Fetched> fetched = new ArrayList<>();
    private final List<Integer> reconnected = new ArrayList<>();
    private final SortedSet<Integer> away = new TreeSet<>();
    private final List<Produced> produced = new ArrayList<>();
    private final SortedMap<Integer, Metadata.Partition> partitions = new TreeMap<>();
    /** Further topics with the same leaders. */
    final SortedSet<String> created = new TreeSet<>();

    /** What the last question for metadata named. */
    public List<String> askedTopics = List.of();
    /** Happens between a question for metadata and its answer. */
    public Runnable whileAsked = () -> {};

    private long lastProducerId = 100;

    public FakeCluster() {
        lead(0, 1, 1);
        lead(1, 1, 1);
    }

    public void lead(int partition, int leader, int epoch) {
        List<Integer> both = List.of(1, 2);
        partitions.put(partition, new Metadata.Partition(partition, leader, epoch, epoch, both, both, List.of(), 1));
    }

    /** What came since the last call. */
    List<Produced> takeProduced() {
        List<Produced> taken = List.copyOf(produced);
        produced.clear();
        return taken;
    }

    /** What came since the last call. */
    public List<Fetched> takeFetched() {
        List<Fetched> taken = List.copyOf(fetched);
        fetched.clear();
        return taken;
    }

    /** Brokers that were tried at once since the last call, because of news. */
    public List<Integer> takeReconnected() {
        List<Integer> taken = List.copyOf(reconnected);
        reconnected.clear();
        return taken;
    }

    /** The broker is not registered any more. */
    public void leave(int broker) {
        away.add(broker);
    }

    public void comeBack(int broker) {
        away.remove(broker);
    }

    public static Endpoint endpoint(int broker) {
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
            if (!away.contains(id)) {
                brokers.put(id, new Metadata.Broker(id, endpoint(id), null, ""));
            }
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
            askedTopics = call.topics();
            whileAsked.run();
            answer.accept(Reply.of(FakeCluster.this.metadata(call)));
        }

        @Override
        public void initProducerId(Consumer<Reply<Wire.ProducerIdentity>> answer) {
            answer.accept(Reply.of(new Wire.ProducerIdentity(++lastProducerId, (short) 0)));
        }

        @Override
        public FetchLane openFetches() {
            return new FetchLane() {
                @Override
                public void fetch(Wire.FetchCall call, Consumer<Reply<List<Wire.FetchResult>>> answer) {
                    fetched.add(new Fetched(broker, call, answer));
                }

                @Override
                public void close() {}
            };
        }

        @Override
        public Cancellable listOffsets(
                List<Wire.OffsetQuery> queries, Consumer<Reply<List<Wire.OffsetResult>>> answer) {
            answer.accept(Reply.of(queries.stream()
                    .map(query -> new Wire.OffsetResult(
                            query.partition(),
                            ErrorCode.NONE,
                            "",
                            query.position() == Wire.LogPosition.EARLIEST ? EARLIEST : LATEST))
                    .toList()));
            return () -> {};
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
        public void deleteRecords(TopicPartition partition, long beforeOffset, Consumer<Reply<Long>> answer) {
            throw notAsked();
        }

        @Override
        public void alterTopic(Wire.TopicAlteration topic, Consumer<Reply<SortedMap<String, String>>> answer) {
            throw notAsked();
        }

        @Override
        public void transferLeader(TopicPartition partition, int toBroker, Consumer<Reply<Integer>> answer) {
            throw notAsked();
        }

        private AssertionError notAsked() {
            return new AssertionError("nobody asks broker " + broker + " for this");
        }

        @Override
        public void reconnect() {
            reconnected.add(broker);
        }

        @Override
        public void close() {}
    }
}
