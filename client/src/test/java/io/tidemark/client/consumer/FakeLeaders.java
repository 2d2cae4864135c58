package io.tidemark.client.consumer;

import io.tidemark.client.net.BrokerConnection;
import io.tidemark.client.net.ClientTransport;
import io.tidemark.client.net.FetchLane;
import io.tidemark.client.net.Metadata;
import io.tidemark.client.net.Reply;
import io.tidemark.client.net.Wire;
import io.tidemark.model.Endpoint;
import io.tidemark.model.ErrorCode;
import io.tidemark.model.TopicPartition;
import io.tidemark.record.Codec;
import io.tidemark.record.ProducerStamp;
import io.tidemark.record.RecordBatch;
import io.tidemark.record.RecordBatchBuilder;
import io.tidemark.runtime.Cancellable;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Brokers 1 and 2 with the logs of one topic: fetches are answered when the test says so, everything else at once. */
final class FakeLeaders implements ClientTransport {
    static final String TOPIC = "orders";

    /** A fetch that a broker has. */
    record Asked(int broker, Wire.FetchCall call, Consumer<Reply<List<Wire.FetchResult>>> answer) {}

    private static final class Log {
        private final List<ByteBuffer> batches = new ArrayList<>();
        private long start;
        private long end;
        private int leader = 1;
        private int epoch = 1;
    }

    final List<Asked> asked = new ArrayList<>();
    boolean exists = true;
    String topicId = "id";
    int openLanes;
    /** Questions for offsets, by call. */
    final List<List<Wire.OffsetQuery>> offsetCalls = new ArrayList<>();
    /** Whether such calls are not answered. */
    boolean silentOffsets;
    /** Whether they are refused as too many. */
    boolean busyOffsets;

    int cancelledOffsets;

    /** What the last question for metadata named. */
    List<String> askedTopics = List.of();

    private final SortedMap<Integer, Log> logs = new TreeMap<>();

    FakeLeaders(int partitions) {
        for (int partition = 0; partition < partitions; partition++) {
            logs.put(partition, new Log());
        }
    }

    private Log log(int partition) {
        return logs.getOrDefault(partition, new Log());
    }

    void lead(int partition, int leader, int epoch) {
        log(partition).leader = leader;
        log(partition).epoch = epoch;
    }

    /** Removes everything below the end. */
    void deleteRecords(int partition) {
        log(partition).batches.clear();
        log(partition).start = log(partition).end;
    }

    /** Appends a batch; answers its size. */
    int append(int partition, int records, int valueBytes) {
        RecordBatchBuilder builder = new RecordBatchBuilder(Codec.NONE, 8 << 20, 8 << 20);
        for (int i = 0; i < records; i++) {
            builder.tryAppend(1, null, ByteBuffer.allocate(valueBytes), List.of());
        }
        ByteBuffer bytes = builder.build(ProducerStamp.NONE);
        Log log = log(partition);
        RecordBatch.at(bytes, 0).assign(log.end, log.epoch);
        log.batches.add(bytes);
        log.end += records;
        return bytes.remaining();
    }

    void damageLast(int partition) {
        List<ByteBuffer> batches = log(partition).batches;
        ByteBuffer last = batches.get(batches.size() - 1);
        last.put(last.limit() - 1, (byte) 0x55);
    }

    /** Answers what is asked for now from the logs. */
    void answer() {
        answer(this::read);
    }

    void answer(Function<Asked, Reply<List<Wire.FetchResult>>> by) {
        List<Asked> now = List.copyOf(asked);
        asked.clear();
        now.forEach(each -> each.answer().accept(by.apply(each)));
    }

    Reply<List<Wire.FetchResult>> read(Asked fetch) {
        List<Wire.FetchResult> results = new ArrayList<>();
        int left = fetch.call().maxBytes();
        boolean found = false;
        for (Wire.FetchPart part : fetch.call().parts()) {
            Log log = log(part.partition().partition());
            ByteBuffer data = ByteBuffer.allocate(32 << 20);
            for (ByteBuffer batch : log.batches) {
                boolean wanted = RecordBatch.at(batch, 0).nextOffset() > part.fetchOffset();
                boolean fits = batch.remaining() <= left;
                if (wanted && !fits && found) {
                    break;
                }
                if (wanted) {
                    data.put(batch.duplicate());
                    left -= batch.remaining();
                    found = true;
                }
            }
            results.add(result(fetch.broker(), part, log, data.flip()));
        }
        return Reply.of(results);
    }

    private static Wire.FetchResult result(int broker, Wire.FetchPart part, Log log, ByteBuffer data) {
        ErrorCode error = ErrorCode.NONE;
        if (log.leader != broker) {
            error = ErrorCode.NOT_LEADER_OR_FOLLOWER;
        } else if (part.fetchOffset() < log.start || part.fetchOffset() > log.end) {
            error = ErrorCode.OFFSET_OUT_OF_RANGE;
        }
        ByteBuffer given = error == ErrorCode.NONE ? data : ByteBuffer.allocate(0);
        return new Wire.FetchResult(part.partition(), error, "as told", log.end, log.start, given, null, -1, -1);
    }

    static Reply<List<Wire.FetchResult>> diverging(Asked fetch, long endOffset) {
        return Reply.of(fetch.call().parts().stream()
                .map(part -> new Wire.FetchResult(
                        part.partition(), ErrorCode.NONE, "", 0, 0, ByteBuffer.allocate(0), endOffset, -1, -1))
                .toList());
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

    private Metadata metadata() {
        SortedMap<Integer, Metadata.Broker> brokers = new TreeMap<>();
        for (int id = 1; id <= 2; id++) {
            brokers.put(id, new Metadata.Broker(id, endpoint(id), null, ""));
        }
        SortedMap<Integer, Metadata.Partition> partitions = new TreeMap<>();
        List<Integer> both = List.of(1, 2);
        logs.forEach((number, log) -> partitions.put(
                number, new Metadata.Partition(number, log.leader, log.epoch, log.epoch, both, both, List.of(), 1)));
        ErrorCode error = exists ? ErrorCode.NONE : ErrorCode.UNKNOWN_TOPIC_OR_PARTITION;
        SortedMap<String, Metadata.Topic> topics = new TreeMap<>();
        topics.put(
                TOPIC,
                new Metadata.Topic(
                        TOPIC, error, exists ? topicId : "", new TreeMap<>(), exists ? partitions : new TreeMap<>()));
        return new Metadata("cluster", 1, 1, 1, brokers, topics);
    }

    private final class Connection implements BrokerConnection {
        private final int broker;

        Connection(int broker) {
            this.broker = broker;
        }

        @Override
        public FetchLane openFetches() {
            openLanes++;
            return new FetchLane() {
                @Override
                public void fetch(Wire.FetchCall call, Consumer<Reply<List<Wire.FetchResult>>> answer) {
                    asked.add(new Asked(broker, call, answer));
                }

                @Override
                public void close() {
                    openLanes--;
                }
            };
        }

        @Override
        public void metadata(Wire.MetadataCall call, Consumer<Reply<Metadata>> answer) {
            askedTopics = call.topics();
            answer.accept(Reply.of(FakeLeaders.this.metadata()));
        }

        @Override
        public Cancellable listOffsets(
                List<Wire.OffsetQuery> queries, Consumer<Reply<List<Wire.OffsetResult>>> answer) {
            offsetCalls.add(queries);
            if (silentOffsets) {
                return () -> cancelledOffsets++;
            }
            answer.accept(
                    busyOffsets
                            ? Reply.failed(ErrorCode.THROTTLED, "busy")
                            : Reply.of(queries.stream().map(this::offset).toList()));
            return () -> {};
        }

        private Wire.OffsetResult offset(Wire.OffsetQuery query) {
            Log log = log(query.partition().partition());
            if (log.leader != broker) {
                return new Wire.OffsetResult(query.partition(), ErrorCode.NOT_LEADER_OR_FOLLOWER, "as told", -1);
            }
            boolean earliest = query.position() == Wire.LogPosition.EARLIEST;
            return new Wire.OffsetResult(query.partition(), ErrorCode.NONE, "", earliest ? log.start : log.end);
        }

        @Override
        public void produce(Wire.ProduceCall call, Consumer<Reply<List<Wire.ProduceResult>>> answer) {
            throw notAsked();
        }

        @Override
        public void initProducerId(Consumer<Reply<Wire.ProducerIdentity>> answer) {
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
            return new AssertionError("a reader does not ask broker " + broker + " for this");
        }

        @Override
        public void reconnect() {}

        @Override
        public void close() {}
    }

    /** What a stream tells, written down. */
    static final class Told implements RecordStream.Listener {
        final List<RecordSlice> slices = new ArrayList<>();
        final List<Long> tooHeavy = new ArrayList<>();
        int ends;
        /** Happens with each slice, within its delivery. */
        Runnable whenTold = () -> {};

        @Nullable
        RuntimeException failure;

        @Nullable
        TopicPartition failed;

        List<Long> offsets(int partition) {
            return slices.stream()
                    .filter(slice -> slice.partition().partition() == partition)
                    .flatMap(slice -> slice.records().stream())
                    .map(ConsumerRecord::offset)
                    .toList();
        }

        @Override
        public void onRecords(RecordSlice slice) {
            slices.add(slice);
            whenTold.run();
        }

        @Override
        public void onTooHeavy(long weightBytes) {
            tooHeavy.add(weightBytes);
        }

        @Override
        public void onEnd() {
            ends++;
        }

        @Override
        public void onFailure(@Nullable TopicPartition partition, RuntimeException why) {
            failure = why;
            failed = partition;
        }
    }
}
