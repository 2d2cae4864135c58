package io.tidemark.client.producer;

import io.tidemark.client.TidemarkException;
import io.tidemark.client.net.Wire.ProducerIdentity;
import io.tidemark.model.ErrorCode;
import io.tidemark.model.TopicPartition;
import io.tidemark.record.Codec;
import io.tidemark.record.LogRecord;
import io.tidemark.record.ProducerStamp;
import io.tidemark.record.RecordBatch;
import io.tidemark.record.RecordBatchBuilder;
import io.tidemark.record.Sequences;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A batch from its first record to its answer. Filled under the accumulator's guard; from the moment that the sender has
 * taken it, the sender's alone.
 */
final class PendingBatch {
    private static final int NO_SEQUENCE = -1;
    private static final long NO_PLACE = -1;
    private static final Logger LOG = LoggerFactory.getLogger(PendingBatch.class);

    private final TopicPartition partition;
    private final RecordBatchBuilder builder;
    private final List<SendCallback> callbacks = new ArrayList<>();
    private final long reservedBytes;
    private final long createdNs;

    private @Nullable ByteBuffer built;
    private @Nullable ProducerIdentity identity;
    private int baseSequence = NO_SEQUENCE;
    private long place = NO_PLACE;
    private int attempts;
    private boolean doubtful;
    private int abandoned;
    private ErrorCode lastRefusal = ErrorCode.REQUEST_TIMED_OUT;

    PendingBatch(TopicPartition partition, RecordBatchBuilder builder, long reservedBytes, long createdNs) {
        this.partition = partition;
        this.builder = builder;
        this.reservedBytes = reservedBytes;
        this.createdNs = createdNs;
    }

    TopicPartition partition() {
        return partition;
    }

    RecordBatchBuilder builder() {
        return builder;
    }

    void add(SendCallback callback) {
        callbacks.add(callback);
    }

    long reservedBytes() {
        return reservedBytes;
    }

    long createdNs() {
        return createdNs;
    }

    int recordCount() {
        return callbacks.size();
    }

    int attempts() {
        return attempts;
    }

    boolean wasSent() {
        return attempts > 0;
    }

    int baseSequence() {
        return baseSequence;
    }

    @Nullable
    ProducerIdentity identity() {
        return identity;
    }

    /** Where it stands among what was sent to its partition: the number of records before it; creation times may be equal. */
    long place() {
        return place;
    }

    boolean wasPlaced() {
        return place != NO_PLACE;
    }

    void takePlace(long number) {
        place = number;
    }

    /** Whether an attempt ended without telling if it was written: then a later refusal does not say that it was not. */
    boolean isDoubtful() {
        return doubtful;
    }

    void doubt() {
        doubtful = true;
    }

    /** One record's caller is gone; under the accumulator's guard. Answers whether nobody waits for the batch any more. */
    boolean abandonOne() {
        abandoned++;
        return abandoned == callbacks.size();
    }

    /** The last attempt was certainly not written, for this reason. */
    void refused(ErrorCode error) {
        lastRefusal = error;
    }

    /** Why the last attempt was refused; REQUEST_TIMED_OUT if none was. */
    ErrorCode lastRefusal() {
        return lastRefusal;
    }

    /**
     * Gives the batch its place in a producer's sequence; again only if it was certainly not written under the last. The
     * transport may still hold the bytes of an abandoned attempt: those stay as they are.
     */
    void stamp(ProducerIdentity producer, int sequence) {
        identity = producer;
        baseSequence = sequence;
        ProducerStamp stamp = new ProducerStamp(producer.producerId(), producer.producerEpoch(), sequence);
        ByteBuffer bytes = built;
        if (bytes == null) {
            built = builder.build(stamp);
        } else {
            ByteBuffer copy = ByteBuffer.allocate(bytes.limit()).put(0, bytes, 0, bytes.limit());
            RecordBatch.at(copy, 0).stamp(stamp);
            built = copy;
        }
    }

    /**
     * Its records in two batches, in their order, that take over its place, its sequence numbers and its room: for one of
     * several records that was sent and certainly not written. It is not to be used any more.
     */
    List<PendingBatch> halves() {
        ByteBuffer bytes = built;
        if (bytes == null || callbacks.size() < 2) {
            throw new IllegalStateException("only a batch of several records that was sent has halves");
        }
        RecordBatch whole = RecordBatch.at(bytes, 0);
        List<LogRecord> records = new ArrayList<>(callbacks.size());
        whole.records().forEach(records::add);
        int middle = records.size() / 2;
        long firstBytes = reservedBytes / 2;
        return List.of(
                part(whole.codec(), records.subList(0, middle), 0, firstBytes),
                part(whole.codec(), records.subList(middle, records.size()), middle, reservedBytes - firstBytes));
    }

    /** A batch of some of its records, of which {@code from} is the first. */
    private PendingBatch part(Codec codec, List<LogRecord> records, int from, long roomBytes) {
        long neededBytes = records.stream()
                .mapToLong(each -> RecordBatchBuilder.sizeBytesUpperBound(each.key(), each.value(), each.headers()))
                .sum();
        int maxBytes = (int) Math.min(neededBytes, RecordBatchBuilder.MAX_BATCH_BYTES);
        PendingBatch part =
                new PendingBatch(partition, new RecordBatchBuilder(codec, maxBytes, maxBytes), roomBytes, createdNs);
        for (int i = 0; i < records.size(); i++) {
            LogRecord record = records.get(i);
            RecordBatchBuilder.Outcome outcome =
                    part.builder.tryAppend(record.timestampMs(), record.key(), record.value(), record.headers());
            if (outcome != RecordBatchBuilder.Outcome.APPENDED) {
                throw new IllegalStateException("half of a batch is larger than the whole: " + outcome);
            }
            part.add(callbacks.get(from + i));
        }
        part.place = wasPlaced() ? place + from : NO_PLACE;
        ProducerIdentity mine = identity;
        if (mine != null) {
            part.stamp(mine, Sequences.plus(baseSequence, from));
        }
        return part;
    }

    /** The bytes of one more attempt. */
    ByteBuffer attempt() {
        attempts++;
        ByteBuffer bytes = built;
        if (bytes == null) {
            bytes = builder.build(ProducerStamp.NONE);
            built = bytes;
        }
        return bytes.duplicate();
    }

    /** @param baseOffset of the first record, or -1 if nobody knows */
    void succeed(long baseOffset) {
        for (int i = 0; i < callbacks.size(); i++) {
            tell(callbacks.get(i), baseOffset < 0 ? baseOffset : baseOffset + i, null);
        }
    }

    void fail(TidemarkException failure) {
        for (SendCallback callback : callbacks) {
            tell(callback, -1, failure);
        }
    }

    /** What an application throws must not keep others from their answers. */
    private void tell(SendCallback callback, long offset, @Nullable TidemarkException failure) {
        try {
            callback.done(partition, offset, failure);
        } catch (RuntimeException e) {
            LOG.warn("a callback of a record for {} failed", partition, e);
        }
    }
}
