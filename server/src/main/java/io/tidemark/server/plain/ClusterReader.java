package io.tidemark.server.plain;

import io.tidemark.client.TidemarkException;
import io.tidemark.client.consumer.ConsumerRecord;
import io.tidemark.client.consumer.LogTruncatedException;
import io.tidemark.client.consumer.OffsetOutOfRangeException;
import io.tidemark.client.consumer.RecordSlice;
import io.tidemark.client.consumer.RecordStream;
import io.tidemark.client.consumer.StartAt;
import io.tidemark.client.net.ClientRuntime;
import io.tidemark.client.net.ClientTransport;
import io.tidemark.client.net.ClusterClient;
import io.tidemark.client.net.Metadata;
import io.tidemark.client.net.RetryRules;
import io.tidemark.model.Endpoint;
import io.tidemark.model.ErrorCode;
import io.tidemark.model.TopicPartition;
import io.tidemark.record.LogRecord;
import io.tidemark.runtime.EventLoop;
import io.tidemark.server.rpc.Plain;
import io.tidemark.server.rpc.SubscribePort;
import java.time.Duration;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** Reads records by streams over one view of the cluster, which all readers share. Lives on its loop. */
final class ClusterReader implements SubscribePort, AutoCloseable {
    private static final Duration METADATA_MAX_AGE = Duration.ofSeconds(30);

    private final ClientRuntime runtime;
    private final ClientTransport transport;
    private @Nullable ClusterClient cluster;
    private boolean closed;

    ClusterReader(ClientRuntime runtime, ClientTransport transport) {
        this.runtime = runtime;
        this.transport = transport;
    }

    void bootstrap(Endpoint self) {
        runtime.loop().execute(() -> {
            if (!closed) {
                cluster = new ClusterClient(
                        new ClusterClient.Settings(List.of(self), METADATA_MAX_AGE, RetryRules.DEFAULT),
                        runtime,
                        transport);
            }
        });
    }

    @Override
    public EventLoop loop() {
        return runtime.loop();
    }

    @Override
    public Reading open(Plain.Selection selection, ToLongFunction<LogRecord> weigher, Listener listener) {
        ClusterClient view = cluster;
        if (view == null) {
            return new Refused(selection.topic(), listener);
        }
        return new Stream(
                new RecordStream(select(selection), view, weigher, new Told(selection.topic(), view, listener)));
    }

    private static RecordStream.Selection select(Plain.Selection selection) {
        SortedMap<Integer, StartAt> partitions = new TreeMap<>();
        selection.partitions().forEach((number, place) -> partitions.put(number, start(place)));
        return new RecordStream.Selection(
                selection.topic(),
                partitions,
                start(selection.otherwise()),
                selection.until() == Plain.Selection.Until.END
                        ? RecordStream.Selection.Until.END
                        : RecordStream.Selection.Until.CLOSED);
    }

    private static StartAt start(Plain.Place place) {
        if (place instanceof Plain.Place.Offset given) {
            return new StartAt.Offset(given.offset());
        }
        if (place instanceof Plain.Place.Timestamp time) {
            return new StartAt.Timestamp(time.timestampMs());
        }
        return place == Plain.Place.Edge.EARLIEST ? StartAt.Edge.EARLIEST : StartAt.Edge.LATEST;
    }

    /** Readers are closed by their callers, before. */
    @Override
    public void close() {
        runtime.loop().execute(() -> {
            closed = true;
            ClusterClient view = cluster;
            cluster = null;
            if (view != null) {
                view.close();
            }
        });
    }

    private record Stream(RecordStream stream) implements Reading {
        @Override
        public void start() {
            stream.start();
        }

        @Override
        public void demand(long bytes) {
            stream.demand(bytes);
        }

        @Override
        public void close() {
            stream.close();
        }
    }

    /** A reading of a broker that does not listen yet, or not any more. */
    private record Refused(String topic, Listener listener) implements Reading {
        @Override
        public void start() {
            listener.onFailure(new Plain.Failure(
                    Plain.Failure.Kind.READ,
                    ErrorCode.BROKER_NOT_AVAILABLE,
                    ErrorCode.Outcome.FAILED_RETRY,
                    "the broker is starting or stopping",
                    Plain.About.topic(topic)));
        }

        @Override
        public void demand(long bytes) {}

        @Override
        public void close() {}
    }

    /** Passes on what the stream says, in the port's words. */
    private record Told(String topic, ClusterClient cluster, Listener listener) implements RecordStream.Listener {
        @Override
        public void onRecords(RecordSlice slice) {
            listener.onRecords(new Plain.Slice(
                    slice.partition().partition(),
                    slice.records().stream().map(ConsumerRecord::record).toList(),
                    slice.nextOffset(),
                    slice.highWatermark()));
        }

        @Override
        public void onTooHeavy(long weightBytes) {
            listener.onTooHeavy(weightBytes);
        }

        @Override
        public void onEnd() {
            listener.onEnd();
        }

        @Override
        public void onFailure(@Nullable TopicPartition partition, RuntimeException failure) {
            listener.onFailure(told(partition, failure));
        }

        private Plain.Failure told(@Nullable TopicPartition partition, RuntimeException failure) {
            String why = String.valueOf(failure.getMessage());
            Plain.About about = partition == null
                    ? Plain.About.topic(topic)
                    : Plain.About.partition(topic, partition.partition(), leader(partition));
            if (failure instanceof OffsetOutOfRangeException outside) {
                Plain.About range =
                        new Plain.About(topic, about.partition(), about.leader(), outside.earliest(), outside.latest());
                return read(Plain.Failure.Kind.READ, ErrorCode.OFFSET_OUT_OF_RANGE, why, range);
            }
            if (failure instanceof LogTruncatedException cut) {
                Plain.About range =
                        new Plain.About(topic, about.partition(), about.leader(), -1, cut.firstDivergingOffset());
                return read(Plain.Failure.Kind.READ_OF_LOST, ErrorCode.OFFSET_OUT_OF_RANGE, why, range);
            }
            ErrorCode error = failure instanceof TidemarkException known ? known.error() : ErrorCode.CORRUPT_MESSAGE;
            return read(Plain.Failure.Kind.READ, error, why, about);
        }

        private static Plain.Failure read(Plain.Failure.Kind kind, ErrorCode error, String why, Plain.About about) {
            return new Plain.Failure(kind, error, error.outcome(), why, about);
        }

        private int leader(TopicPartition partition) {
            Metadata.Partition known = cluster.metadata().partition(partition);
            return known == null ? -1 : known.leader();
        }
    }
}
