package io.tidemark.replication.partition;

import io.tidemark.core.config.LogConfig;
import io.tidemark.core.log.AppendResult;
import io.tidemark.core.log.LeaderEpochs;
import io.tidemark.core.log.Log;
import io.tidemark.core.log.LogDamage;
import io.tidemark.core.log.LogEnd;
import io.tidemark.core.log.ReadRequest;
import io.tidemark.core.log.ReadResult;
import io.tidemark.core.log.RetentionResult;
import io.tidemark.core.log.ScrubPoint;
import io.tidemark.core.log.Scrubbed;
import io.tidemark.core.log.TimeSearch;
import io.tidemark.core.runtime.KafkaStorageException;
import io.tidemark.model.ErrorCode;
import io.tidemark.model.TopicId;
import io.tidemark.model.TopicPartition;
import io.tidemark.record.Codec;
import io.tidemark.record.LogRecord;
import io.tidemark.record.ProducerStamp;
import io.tidemark.record.RecordBatch;
import io.tidemark.record.RecordBatchBuilder;
import io.tidemark.record.RecordBatches;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A log without files that keeps the contract of {@link Log}: whole batches, epochs, positions, fences. What goes on
 * between two steps of a partition can be put in by {@link #beforeReturningRead}.
 */
public final class MemoryLog implements Log {
    private final TopicPartition partition;
    private final TopicId topicId;
    private final List<ByteBuffer> batches = new ArrayList<>();
    private final List<LeaderEpochs.EpochStart> epochs = new ArrayList<>();
    private boolean leads;
    private int roleEpoch = -1;
    private long start;
    private long next;
    private long forced;
    private long bound;
    private long truncations;
    private boolean broken;
    private @Nullable LogDamage damage;
    private long farBytes;
    private Runnable afterRead = () -> {};
    private Runnable beforeAppend = () -> {};

    public MemoryLog(TopicPartition partition, TopicId topicId) {
        this.partition = partition;
        this.topicId = topicId;
    }

    public MemoryLog() {
        this(States.PARTITION, States.TOPIC_ID);
    }

    /** A batch of one record at that time, as a producer sends it. */
    public static ByteBuffer batchAt(long timestampMs) {
        RecordBatchBuilder builder = new RecordBatchBuilder(Codec.NONE, 1 << 16, 1 << 16);
        builder.tryAppend(timestampMs, null, ByteBuffer.allocate(1), List.of());
        return builder.build(ProducerStamp.NONE);
    }

    /** A batch of records as a producer sends it. */
    public static ByteBuffer batch(String... values) {
        RecordBatchBuilder builder = new RecordBatchBuilder(Codec.NONE, 1 << 16, 1 << 16);
        for (String value : values) {
            ByteBuffer bytes = ByteBuffer.wrap(value.getBytes(StandardCharsets.UTF_8));
            builder.tryAppend(0, null, bytes, List.of());
        }
        return builder.build(ProducerStamp.NONE);
    }

    /** A log that holds one record per given epoch, from offset 0. */
    public static MemoryLog of(int... epochByOffset) {
        MemoryLog log = new MemoryLog();
        for (int epoch : epochByOffset) {
            log.add(epoch);
        }
        return log;
    }

    /** Appends one record of that epoch, whatever role the log is in. */
    public void add(int epoch) {
        ByteBuffer bytes = batch("v" + next + "e" + epoch);
        RecordBatch.at(bytes, bytes.position()).assign(next, epoch);
        store(bytes);
    }

    /** Epoch of the record at each offset from the start, for logs of one record per batch. */
    public List<Integer> epochByOffset() {
        return batches.stream()
                .map(bytes -> RecordBatch.at(bytes, 0).partitionLeaderEpoch())
                .toList();
    }

    /** Runs once, after the next read has copied its bytes. */
    public void beforeReturningRead(Runnable step) {
        afterRead = step;
    }

    /** Runs once, at the start of the next append as leader. */
    public void beforeAppend(Runnable step) {
        beforeAppend = step;
    }

    /** From now on the log is known to be damaged from that offset to before the other, in which batches begin. */
    public void damage(long firstBadOffset, long behindOffset) {
        damage =
                new LogDamage(firstBadOffset, behindOffset, Path.of("/logs/t-0/0.log"), 77, 177, "the test damaged it");
    }

    /** As if so much more had been written between any offset in front of the end, and the end. */
    public void moveAwayFromEnd(long bytes) {
        farBytes = bytes;
    }

    /** From now on every writing call fails as a disk would. */
    public void breakDisk() {
        broken = true;
    }

    @Override
    public TopicPartition partition() {
        return partition;
    }

    @Override
    public TopicId topicId() {
        return topicId;
    }

    @Override
    public Path logDirectory() {
        return Path.of("/logs");
    }

    @Override
    public LogEnd end() {
        int lastEpoch = batches.isEmpty()
                ? -1
                : RecordBatch.at(batches.get(batches.size() - 1), 0).partitionLeaderEpoch();
        return new LogEnd(next, sizeBytes(), lastEpoch);
    }

    @Override
    public long startOffset() {
        return start;
    }

    @Override
    public long truncations() {
        return truncations;
    }

    @Override
    public long committedBound() {
        return bound;
    }

    @Override
    public void committedBound(long offset) {
        bound = offset;
    }

    @Override
    public LogEnd becomeLeader(int leaderEpoch) {
        requireDisk();
        leads = true;
        roleEpoch = leaderEpoch;
        assign(leaderEpoch, next);
        return end();
    }

    @Override
    public void becomeFollower(int leaderEpoch) {
        requireDisk();
        leads = false;
        roleEpoch = leaderEpoch;
    }

    @Override
    public AppendResult appendAsLeader(ByteBuffer bytes, int leaderEpoch) {
        Runnable step = beforeAppend;
        beforeAppend = () -> {};
        step.run();
        requireDisk();
        if (!leads || roleEpoch != leaderEpoch) {
            return new AppendResult.Refused(ErrorCode.FENCED_LEADER_EPOCH, "not the leader of epoch " + leaderEpoch);
        }
        long first = next;
        for (RecordBatch batch : RecordBatches.of(bytes)) {
            batch.assign(next, leaderEpoch);
            store(copy(batch));
        }
        return new AppendResult.Appended(first, next - 1, end());
    }

    @Override
    public AppendResult appendAsFollower(ByteBuffer bytes, int leaderEpoch) {
        requireDisk();
        if (leads || roleEpoch != leaderEpoch) {
            return new AppendResult.Refused(ErrorCode.FENCED_LEADER_EPOCH, "not a follower in epoch " + leaderEpoch);
        }
        long first = next;
        for (RecordBatch batch : RecordBatches.of(bytes)) {
            if (batch.lastOffset() < next || batch.partitionLeaderEpoch() > leaderEpoch) {
                return new AppendResult.Refused(ErrorCode.INVALID_RECORD, "refused " + batch);
            }
            store(copy(batch));
        }
        return new AppendResult.Appended(first, next - 1, end());
    }

    @Override
    public ReadResult read(ReadRequest request) {
        if (request.offset() < start || request.offset() > next) {
            return new ReadResult.OutOfRange(start, next);
        }
        LogDamage bad = damage;
        if (bad != null && bad.covers(request.offset())) {
            return new ReadResult.Corrupt(bad);
        }
        LogEnd end = end();
        long limit = bad != null && request.offset() < bad.firstBadOffset()
                ? Math.min(request.limitOffset(), bad.firstBadOffset())
                : request.limitOffset();
        ByteBuffer found = ByteBuffer.allocate((int) sizeBytes());
        for (ByteBuffer bytes : batches) {
            RecordBatch batch = RecordBatch.at(bytes, 0);
            boolean wanted = batch.lastOffset() >= request.offset() && batch.lastOffset() < limit;
            boolean minimal = found.position() == 0 && request.minimum() == ReadRequest.Minimum.ONE_BATCH;
            if (wanted && (minimal || found.position() + bytes.limit() <= request.maxBytes())) {
                found.put(bytes.duplicate());
            }
        }
        long position = positionOf(request.offset());
        Runnable step = afterRead;
        afterRead = () -> {};
        step.run();
        return new ReadResult.Data(found.flip(), position, start, end);
    }

    @Override
    public long positionOf(long offset) {
        long position = 0;
        for (ByteBuffer bytes : batches) {
            if (RecordBatch.at(bytes, 0).lastOffset() >= offset) {
                return position;
            }
            position += bytes.limit();
        }
        return position;
    }

    @Override
    public long bytesBehindEnd(long offset) {
        return offset >= next ? 0 : farBytes + sizeBytes() - positionOf(offset);
    }

    @Override
    public Optional<LogDamage> damage() {
        return Optional.ofNullable(damage);
    }

    @Override
    public Scrubbed scrub(ScrubPoint from, int maxBytes) {
        return new Scrubbed(Optional.empty(), 0, Optional.empty());
    }

    @Override
    public TimeSearch.Result search(TimeSearch search) {
        Runnable step = afterRead;
        afterRead = () -> {};
        step.run();
        if (!search.isWanted().getAsBoolean()) {
            return new TimeSearch.GivenUp();
        }
        for (ByteBuffer bytes : batches) {
            for (LogRecord record : RecordBatch.at(bytes, 0).records()) {
                boolean inRange = record.offset() >= start && record.offset() < search.boundOffset();
                if (inRange && record.timestampMs() >= search.timestampMs()) {
                    return new TimeSearch.Found(record.offset());
                }
            }
        }
        return new TimeSearch.None();
    }

    @Override
    public LeaderEpochs epochs() {
        return new LeaderEpochs() {
            @Override
            public List<EpochStart> entries() {
                return List.copyOf(epochs);
            }

            @Override
            public Optional<EpochEnd> endOf(int epoch) {
                long end = next;
                for (int i = epochs.size() - 1; i >= 0; i--) {
                    if (epochs.get(i).epoch() <= epoch) {
                        return Optional.of(new EpochEnd(epochs.get(i).epoch(), end));
                    }
                    end = epochs.get(i).startOffset();
                }
                return epochs.isEmpty() || epoch < 0 ? Optional.empty() : Optional.of(new EpochEnd(epoch, end));
            }

            @Override
            public int latest() {
                return epochs.isEmpty() ? -1 : epochs.get(epochs.size() - 1).epoch();
            }
        };
    }

    @Override
    public LogEnd truncateTo(long offset) {
        requireDisk();
        if (offset >= next) {
            return end();
        }
        if (offset < start) {
            return truncateFullyAndStartAt(offset);
        }
        truncations++;
        while (!batches.isEmpty()) {
            RecordBatch last = RecordBatch.at(batches.get(batches.size() - 1), 0);
            if (last.lastOffset() < offset) {
                break;
            }
            next = Math.min(offset, last.baseOffset());
            batches.remove(batches.size() - 1);
        }
        epochs.removeIf(entry -> entry.startOffset() >= next);
        damage = damage != null && damage.firstBadOffset() >= next ? null : damage;
        bound = Math.min(bound, next);
        forced = Math.min(forced, next);
        return end();
    }

    @Override
    public LogEnd truncateFullyAndStartAt(long offset) {
        requireDisk();
        truncations++;
        batches.clear();
        epochs.clear();
        damage = null;
        start = offset;
        next = offset;
        forced = offset;
        bound = offset;
        return end();
    }

    @Override
    public boolean advanceStartOffset(long offset) {
        if (offset > bound) {
            return false;
        }
        start = Math.max(start, offset);
        return true;
    }

    @Override
    public long recordStartOffset() {
        return start;
    }

    /** There are no segments, of which alone something could go. */
    @Override
    public RetentionResult applyRetention(long nowMs) {
        requireDisk();
        return RetentionResult.NOTHING;
    }

    /** There are no producers. */
    @Override
    public int expireProducers(long nowMs) {
        return 0;
    }

    @Override
    public LogEnd force() {
        requireDisk();
        forced = next;
        return end();
    }

    @Override
    public LogEnd forcedEnd() {
        return new LogEnd(forced, positionOf(forced), end().lastEpoch());
    }

    @Override
    public void reconfigure(LogConfig config) {}

    @Override
    public long sizeBytes() {
        return batches.stream().mapToLong(ByteBuffer::limit).sum();
    }

    private void store(ByteBuffer bytes) {
        RecordBatch batch = RecordBatch.at(bytes, bytes.position());
        assign(batch.partitionLeaderEpoch(), batch.baseOffset());
        batches.add(copy(batch));
        next = batch.nextOffset();
    }

    private void assign(int epoch, long offset) {
        if (!epochs.isEmpty() && epochs.get(epochs.size() - 1).epoch() == epoch) {
            return;
        }
        epochs.removeIf(entry -> entry.epoch() >= epoch || entry.startOffset() >= offset);
        epochs.add(new LeaderEpochs.EpochStart(epoch, offset));
    }

    private void requireDisk() {
        if (broken) {
            throw new KafkaStorageException("the test broke the disk of " + partition);
        }
    }

    private static ByteBuffer copy(RecordBatch batch) {
        return ByteBuffer.allocate(batch.sizeBytes()).put(batch.bytes()).flip();
    }
}
