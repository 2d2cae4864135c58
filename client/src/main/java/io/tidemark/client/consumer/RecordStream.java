package io.tidemark.client.consumer;

import io.tidemark.client.TidemarkException;
import io.tidemark.client.net.ClusterClient;
import io.tidemark.client.net.Metadata;
import io.tidemark.client.net.Reply;
import io.tidemark.client.net.TopicLookup;
import io.tidemark.client.net.Wire.LogPosition;
import io.tidemark.model.ErrorCode;
import io.tidemark.model.TopicPartition;
import io.tidemark.record.InvalidBatchException;
import io.tidemark.record.LogRecord;
import io.tidemark.runtime.Cancellable;
import java.time.Duration;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Reads partitions of one topic without blocking anybody: committed records are pushed to a listener, as far as it asks for
 * them. Follows leaders through failovers, checks CRCs, and tells a truncation of what it has read as an error (I14).
 *
 * <p><b>Demand.</b> {@link #demand} allows one delivery of at most so many bytes, as the {@code weigher} counts them; the
 * delivery uses it up. A record that is heavier is not delivered but told by {@link Listener#onTooHeavy}, and waits for a
 * demand that it fits.
 *
 * <p><b>Memory.</b> Without a demand nothing is fetched, nor while something is left of what was fetched: that is delivered
 * first, and a leader that is asked for the other partitions alone might wait for their data, and with it this one. What is
 * fetched and not delivered, or may still be answered, is never more than the last demand, or one batch of each leader that
 * is asked where that is larger: a leader gives a whole batch at least.
 *
 * <p>A topic that is deleted ends the stream, also when another one of the same name is there: that one's records are others
 * under the same offsets.
 *
 * <p>Lives on the cluster's loop: every method is called there, and so is the listener, which may call back into the stream.
 * Several streams may share a cluster. After {@code onEnd} or {@code onFailure}, one of which comes at most once, and after
 * {@link #close}, nothing is called any more.
 */
public final class RecordStream implements AutoCloseable {
    private static final Duration MAX_WAIT = Duration.ofMillis(500);
    private static final Duration REQUEST = Duration.ofSeconds(10);
    private static final Duration WITHOUT_TOPIC = Duration.ofSeconds(1);
    private static final Duration RANGE_PATIENCE = Duration.ofSeconds(2);
    private static final Duration WITHOUT_LEADER = Duration.ofSeconds(30);

    private final Selection selection;
    private final ToLongFunction<LogRecord> weigher;
    private final Listener listener;
    private final ClusterClient cluster;
    private final TopicLookup topics;
    private final OffsetFinder offsets;
    private final Fetcher fetcher;
    private final FetchBuffer buffer = new FetchBuffer();

    private Cancellable refreshes = () -> {};
    private String topicId = "";
    private boolean toldOfAnotherTopic;
    private long toldSinceNs;
    private long demandBytes;
    /** Places that are not found yet; the topic itself at first. */
    private long unanswered = 1;

    private boolean delivering;
    private boolean closed;

    /** What is read, and where it begins. */
    public record Selection(String topic, SortedMap<Integer, StartAt> partitions, StartAt otherwise, Until until) {
        /** When the reading ends. */
        public enum Until {
            CLOSED,
            /** At what was committed at the beginning. */
            END
        }

        /**
         * @param partitions and where to begin in each; none means all
         * @param otherwise where to begin when all are read
         */
        public Selection {}
    }

    /** Takes what is read. */
    public interface Listener {
        /** Records within the demand, which is used up with them. */
        void onRecords(RecordSlice slice);

        /** The next record weighs more than the demand; the demand stands. */
        void onTooHeavy(long weightBytes);

        /** All partitions were read to their ends. */
        void onEnd();

        /**
         * The stream cannot go on: a {@link TidemarkException} ({@link OffsetOutOfRangeException} among them), a {@link
         * LogTruncatedException}, or an {@link InvalidBatchException}.
         *
         * @param partition that it is about, or null for the topic
         */
        void onFailure(@Nullable TopicPartition partition, RuntimeException failure);
    }

    /** @param weigher what a record counts */
    public RecordStream(
            Selection selection, ClusterClient cluster, ToLongFunction<LogRecord> weigher, Listener listener) {
        this.selection = selection;
        this.cluster = cluster;
        this.weigher = weigher;
        this.listener = listener;
        this.topics = new TopicLookup(cluster);
        this.offsets = new OffsetFinder(cluster);
        Fetcher.Settings settings = new Fetcher.Settings(
                ConsumerConfig.OnOutOfRange.FAIL,
                MAX_WAIT,
                REQUEST,
                new Fetcher.Patience(WITHOUT_TOPIC, WITHOUT_LEADER));
        this.fetcher = new Fetcher(settings, cluster, new State());
    }

    /** Finds the topic and the places to begin; to be called once. */
    public void start() {
        fetcher.start();
        topics.find(selection.topic(), found -> {
            if (closed) {
                return;
            }
            topics.close();
            if (found instanceof TopicLookup.Found.Known known) {
                begin(known.partitions());
            } else if (found instanceof TopicLookup.Found.Missing missing) {
                fail(null, new TidemarkException(missing.error(), missing.message()));
            }
        });
    }

    /** Allows one delivery of at most {@code bytes}, at least 1; replaces a demand that is not used up. */
    public void demand(long bytes) {
        demandBytes = bytes;
        deliver();
        fetcher.pump();
    }

    /** Bytes of batches that are held now. */
    public long heldBytes() {
        return buffer.heldBytes();
    }

    /** Reads no more, and calls off what is under way. Idempotent. */
    @Override
    public void close() {
        closed = true;
        refreshes.cancel();
        topics.close();
        fetcher.close();
        offsets.close();
        cluster.forgetUnlessKnown(selection.topic());
    }

    private void begin(int partitions) {
        topicId = presentId();
        refreshes = cluster.onRefresh(this::lookForAnotherTopic);
        SortedMap<Integer, StartAt> chosen = new TreeMap<>(selection.partitions());
        if (chosen.isEmpty()) {
            for (int partition = 0; partition < partitions; partition++) {
                chosen.put(partition, selection.otherwise());
            }
        }
        int last = chosen.lastKey();
        if (last >= partitions) {
            fail(
                    new TopicPartition(selection.topic(), last),
                    new TidemarkException(
                            ErrorCode.UNKNOWN_TOPIC_OR_PARTITION,
                            "topic " + selection.topic() + " has partitions 0 to " + (partitions - 1) + ", not "
                                    + last));
            return;
        }
        unanswered = selection.until() == Selection.Until.END ? 2L * chosen.size() : chosen.size();
        chosen.forEach((number, start) -> locate(new TopicPartition(selection.topic(), number), start));
    }

    /** What brokers say now of the topic's name; empty if there is none. */
    private String presentId() {
        Metadata.Topic known = cluster.metadata().topics().get(selection.topic());
        return known == null ? "" : known.topicId();
    }

    /** Whether the name is another topic's, as far as is known: then nothing is fetched. */
    private boolean isAnotherTopic() {
        String present = presentId();
        return !present.isEmpty() && !present.equals(topicId);
    }

    /** One broker's word is not enough, for it may be late with its news. */
    private void lookForAnotherTopic() {
        boolean toldBefore = toldOfAnotherTopic;
        toldOfAnotherTopic = isAnotherTopic();
        if (closed || !toldOfAnotherTopic) {
            return;
        }
        long nowNs = cluster.clock().monotonicNs();
        toldSinceNs = toldBefore ? toldSinceNs : nowNs;
        if (nowNs - toldSinceNs < WITHOUT_TOPIC.toNanos()) {
            cluster.refresh();
        } else {
            fail(
                    null,
                    new TidemarkException(
                            ErrorCode.UNKNOWN_TOPIC_OR_PARTITION,
                            "topic " + selection.topic() + " was deleted, and created again since"));
        }
    }

    /** An end is asked for first, so that the beginning is not behind it when both are the same. */
    private void locate(TopicPartition partition, StartAt start) {
        if (selection.until() == Selection.Until.END) {
            find(partition, LogPosition.LATEST, end -> {
                if (start instanceof StartAt.Offset given && given.offset() > end) {
                    failBeyond(partition, given.offset(), end);
                    return;
                }
                find(partition, start, offset -> {
                    buffer.seek(partition, offset);
                    buffer.endAt(partition, end);
                });
            });
        } else {
            find(partition, start, offset -> buffer.seek(partition, offset));
        }
    }

    private void find(TopicPartition partition, StartAt start, Place place) {
        if (start instanceof StartAt.Offset given) {
            located(given.offset(), place);
        } else if (start instanceof StartAt.Edge edge) {
            find(partition, edge == StartAt.Edge.EARLIEST ? LogPosition.EARLIEST : LogPosition.LATEST, place);
        } else if (start instanceof StartAt.Timestamp time) {
            find(partition, LogPosition.atTime(time.timestampMs()), place);
        }
    }

    private void find(TopicPartition partition, LogPosition position, Place place) {
        offsets.find(partition, position, WITHOUT_LEADER, reply -> {
            if (closed) {
                return;
            }
            if (reply instanceof Reply.Failure<Long> failure) {
                fail(partition, failure.exception());
            } else if (reply instanceof Reply.Value<Long> found) {
                located(found.value(), place);
            }
        });
    }

    private void located(long offset, Place place) {
        unanswered--;
        place.is(offset);
        deliver();
        fetcher.pump();
    }

    private interface Place {
        void is(long offset);
    }

    /** Pushes what there is a demand for. */
    private void deliver() {
        if (delivering || closed) {
            return;
        }
        delivering = true;
        try {
            boolean more = true;
            while (more && !closed && demandBytes > 0) {
                more = deliverOne();
            }
        } catch (InvalidBatchException e) {
            fail(buffer.nextPartition(), e);
        } finally {
            delivering = false;
        }
        if (!closed && unanswered == 0 && selection.until() == Selection.Until.END && buffer.isAtEnd()) {
            close();
            listener.onEnd();
        }
    }

    private boolean deliverOne() {
        long allowedBytes = demandBytes;
        Allowance allowance = new Allowance(allowedBytes);
        RecordSlice slice = buffer.next(allowance);
        if (slice == null) {
            return false;
        }
        if (!slice.records().isEmpty()) {
            demandBytes = 0;
            listener.onRecords(slice);
            return true;
        }
        if (allowance.refusedBytes > 0) {
            listener.onTooHeavy(allowance.refusedBytes);
            return demandBytes != allowedBytes;
        }
        return true;
    }

    private void fail(@Nullable TopicPartition partition, RuntimeException failure) {
        if (!closed) {
            close();
            listener.onFailure(partition, failure);
        }
    }

    /** Asks for the end of the log first, so that the caller learns the whole valid range. */
    private void failWithRange(OffsetOutOfRangeException outside) {
        fetcher.close();
        offsets.find(outside.partition(), LogPosition.LATEST, RANGE_PATIENCE, reply -> {
            Long latest = reply.orNull();
            fail(
                    outside.partition(),
                    new OffsetOutOfRangeException(
                            outside.partition(), outside.offset(), outside.earliest(), latest == null ? -1 : latest));
        });
    }

    /** Nothing is fetched of a partition whose end is before its beginning: nobody else says that the place is wrong. */
    private void failBeyond(TopicPartition partition, long offset, long end) {
        fetcher.close();
        offsets.find(partition, LogPosition.EARLIEST, RANGE_PATIENCE, reply -> {
            Long earliest = reply.orNull();
            fail(partition, new OffsetOutOfRangeException(partition, offset, earliest == null ? -1 : earliest, end));
        });
    }

    /** One delivery's budget. */
    private final class Allowance implements FetchBuffer.Budget {
        private long leftBytes;
        private long refusedBytes;

        Allowance(long bytes) {
            leftBytes = bytes;
        }

        @Override
        public boolean takes(LogRecord record) {
            long weight = weigher.applyAsLong(record);
            if (weight > leftBytes) {
                refusedBytes = weight;
                return false;
            }
            leftBytes -= weight;
            return true;
        }
    }

    /** What the fetcher sees of this. */
    private final class State implements Fetcher.Sink {
        @Override
        public SortedMap<TopicPartition, FetchBuffer.Position> wanted() {
            boolean nothing = demandBytes <= 0 || !buffer.isEmpty() || isAnotherTopic();
            return nothing ? new TreeMap<>() : buffer.wanted();
        }

        @Override
        public Fetcher.Limits limits(int leaders, long underWayBytes) {
            long freeBytes = demandBytes - buffer.heldBytes() - underWayBytes;
            int share = (int) Math.max(1, Math.min(Integer.MAX_VALUE, freeBytes / Math.max(1, leaders)));
            return new Fetcher.Limits(share, share);
        }

        @Override
        public void fetched(TopicPartition partition, long version, FetchBuffer.Fetched fetched) {
            buffer.fetched(partition, version, fetched);
            deliver();
        }

        @Override
        public void reset(TopicPartition partition, long version, long offset) {
            throw new IllegalStateException("positions out of range are failures here");
        }

        @Override
        public void failed(TopicPartition partition, long version, RuntimeException failure) {
            if (buffer.isCurrent(partition, version)) {
                if (failure instanceof OffsetOutOfRangeException outside) {
                    failWithRange(outside);
                } else {
                    fail(partition, failure);
                }
            }
        }
    }
}
