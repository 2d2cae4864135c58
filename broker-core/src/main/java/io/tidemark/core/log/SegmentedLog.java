package io.tidemark.core.log;

import io.tidemark.core.config.LogConfig;
import io.tidemark.core.log.segment.Segment;
import io.tidemark.core.runtime.Invariant;
import io.tidemark.model.ErrorCode;
import io.tidemark.model.TopicId;
import io.tidemark.model.TopicPartition;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The log of one partition: the shell around its parts, which holds the lock and turns I/O errors into the fence. */
final class SegmentedLog implements Log {
    private static final Logger LOG = LoggerFactory.getLogger(SegmentedLog.class);

    private final LogContext context;
    private final LogState state;
    private final LogReader reader;
    private final LogTimeSearch timeSearch;
    private final LogScrub scrub;
    private final LogAppender appender;
    private final LogTruncator truncator;
    private final FlushTrigger flushes;
    private final LogHead head;
    private final LogForcer forcer;
    private final EpochWriter epochWriter;
    private final ProducerSnapshots snapshots;
    private final LogCleaning cleaning;
    private final LeaderEpochs epochs = new LiveEpochs();

    // Guarded by the log's lock.
    private Role role = Role.NONE;
    private int roleEpoch = LeaderEpochHistory.NO_EPOCH;

    private enum Role {
        NONE,
        LEADER,
        FOLLOWER
    }

    /** An append once the role was checked. */
    private interface Append {
        AppendResult run() throws IOException;
    }

    /**
     * A log as it was loaded: everything in it is durable.
     *
     * @param writtenEpochs what the epoch file holds
     * @param snapshots of its directory
     */
    SegmentedLog(
            LogContext context,
            LogView view,
            ProducerStates producers,
            LeaderEpochHistory writtenEpochs,
            ProducerSnapshots snapshots) {
        this.context = context;
        this.state = new LogState(context, view, producers);
        LeaderEpochCheckpoint epochFile =
                new LeaderEpochCheckpoint(context.space().io(), context.space().directory());
        DelayedDeletion deletion = new DelayedDeletion(state);
        OpenSwap swap = new OpenSwap(state, deletion);
        this.snapshots = snapshots;
        this.epochWriter = new EpochWriter(state, epochFile, writtenEpochs);
        this.flushes = new FlushTrigger(state, () -> context.flusher().request(this));
        this.forcer = new LogForcer(state, epochWriter, snapshots, flushes);
        this.cleaning = new LogCleaning(context, state, new LogCleaning.Parts(swap, snapshots, forcer));
        this.reader = new LogReader(state);
        this.timeSearch = new LogTimeSearch(state);
        this.scrub = new LogScrub(state);
        LogRoller roller = new LogRoller(state, swap, deletion, snapshots, forcer);
        this.appender = new LogAppender(state, roller, new SegmentAges(context.randomness()), context.rules());
        this.head = new LogHead(
                state, new LogHead.Parts(context.recoveryPoints(), roller, swap, deletion, epochWriter, forcer));
        this.truncator = new LogTruncator(
                state,
                new LogTruncator.Parts(
                        context.recoveryPoints(),
                        swap,
                        deletion,
                        snapshots,
                        new ProducerRebuild(snapshots),
                        epochWriter,
                        forcer));
    }

    @Override
    public TopicPartition partition() {
        return context.partition();
    }

    @Override
    public TopicId topicId() {
        return context.topicId();
    }

    @Override
    public Path logDirectory() {
        return context.logDirectory();
    }

    @Override
    public LogEnd end() {
        return state.lastView().end();
    }

    @Override
    public long startOffset() {
        return state.lastView().startOffset();
    }

    @Override
    public long truncations() {
        return state.truncations();
    }

    @Override
    public long committedBound() {
        return state.committedBound();
    }

    @Override
    public void committedBound(long offset) {
        state.committedBound(offset);
    }

    @Override
    public LogEnd becomeLeader(int leaderEpoch) {
        state.lock();
        try {
            LogView view = state.view();
            takeRole(Role.LEADER, leaderEpoch);
            if (leaderEpoch < view.end().lastEpoch()) {
                LOG.error("{} is to lead in epoch {}, below its last batch: {}", this, leaderEpoch, view.end());
                return view.end();
            }
            LeaderEpochHistory changed =
                    view.epochs().assign(leaderEpoch, view.end().offset());
            if (!changed.equals(view.epochs())) {
                state.publish(view.withEpochs(changed));
                epochWriter.onChanged();
            }
            return view.end();
        } finally {
            state.unlock();
        }
    }

    @Override
    public void becomeFollower(int leaderEpoch) {
        state.lock();
        try {
            state.requireUsable();
            takeRole(Role.FOLLOWER, leaderEpoch);
        } finally {
            state.unlock();
        }
    }

    @Override
    public AppendResult appendAsLeader(ByteBuffer batches, int leaderEpoch) {
        return append(Role.LEADER, leaderEpoch, batches, () -> appender.asLeader(batches, leaderEpoch));
    }

    @Override
    public AppendResult appendAsFollower(ByteBuffer batches, int leaderEpoch) {
        return append(Role.FOLLOWER, leaderEpoch, batches, () -> appender.asFollower(batches, leaderEpoch));
    }

    @Override
    public ReadResult read(ReadRequest request) {
        return reader.read(request);
    }

    @Override
    public long positionOf(long offset) {
        return reader.positionOf(offset);
    }

    @Override
    public long bytesBehindEnd(long offset) {
        return state.lastView().bytesBehindEnd(offset);
    }

    @Override
    public Optional<LogDamage> damage() {
        return state.health.first(state.lastView());
    }

    @Override
    public Scrubbed scrub(ScrubPoint from, int maxBytes) {
        return scrub.scrub(from, maxBytes);
    }

    @Override
    public TimeSearch.Result search(TimeSearch search) {
        return timeSearch.search(search);
    }

    @Override
    public LeaderEpochs epochs() {
        return epochs;
    }

    @Override
    public LogEnd truncateTo(long offset) {
        return truncator.truncateTo(offset);
    }

    @Override
    public LogEnd truncateFullyAndStartAt(long offset) {
        return truncator.truncateFullyAndStartAt(offset);
    }

    @Override
    public boolean advanceStartOffset(long offset) {
        return head.advanceStartOffset(offset);
    }

    @Override
    public long recordStartOffset() {
        return head.recordStartOffset();
    }

    @Override
    public RetentionResult applyRetention(long nowMs) {
        return head.applyRetention(nowMs);
    }

    @Override
    public int expireProducers(long nowMs) {
        state.lock();
        try {
            state.requireUsable();
            return state.producers.expire(nowMs, state.config().producerIdExpiration());
        } finally {
            state.unlock();
        }
    }

    @Override
    public LogEnd force() {
        return forcer.force();
    }

    @Override
    public LogEnd forcedEnd() {
        return forcer.forcedEnd();
    }

    @Override
    public void reconfigure(LogConfig config) {
        if (config.equals(state.config())) {
            return;
        }
        state.lock();
        try {
            state.config(config);
            if (!state.isClosed()) {
                flushes.onReconfigured();
            }
        } finally {
            state.unlock();
        }
    }

    @Override
    public long sizeBytes() {
        LogView view = state.lastView();
        long sum = 0;
        for (Segment segment : view.segments().all()) {
            sum += view.publishedBytes(segment);
        }
        return sum;
    }

    /** The log as the cleaner sees it. */
    LogCleaning cleaning() {
        return cleaning;
    }

    LogConfig config() {
        return state.config();
    }

    /** What may be recorded as needing no check after a crash; never above what is durable. */
    long recoveryPoint() {
        return forcer.recoveryPoint();
    }

    /** Whatever a start from {@code recorded} does not need may go: it was recorded, durably, as the recovery point. */
    void onRecoveryPointRecorded(long recorded) {
        state.lock();
        try {
            if (!state.isClosed()) {
                snapshots.prune(recorded);
            }
        } catch (IOException e) {
            throw state.fence("prune", e);
        } finally {
            state.unlock();
        }
    }

    /** What may be recorded as the start offset; not above where a truncation is about to let the log start again. */
    long startToRecord() {
        return head.startToRecord();
    }

    /**
     * Makes everything durable and closes the log; whoever uses it afterwards gets a {@link LogClosedException}. Idempotent.
     *
     * @return the recovery point: the end of the log
     */
    long closeDurably() {
        if (state.isClosed()) {
            return recoveryPoint();
        }
        forcer.force();
        state.lock();
        try {
            LogView view = state.view();
            LogEnd end = view.end();
            Invariant.check(end.equals(forcedEnd()), "nothing is appended while the log is closed");
            snapshots.write(
                    end.offset(), new ProducerSnapshot(end.offset(), end.lastEpoch(), 0, state.producers.all()));
            snapshots.prune(end.offset());
            view.segments().active().forceIndex();
            state.markClosed();
            flushes.onForcing();
            view.segments().all().forEach(Segment::release);
            return end.offset();
        } catch (IOException | RuntimeException e) {
            throw state.fence("close", e);
        } finally {
            state.unlock();
            cancelTasks();
        }
    }

    /** Closes the log as it is: it is about to be deleted, or its disk has failed. Idempotent. */
    void closeAtOnce() {
        state.lock();
        try {
            state.markClosed();
            flushes.onForcing();
            state.lastView().segments().all().forEach(Segment::release);
        } finally {
            state.unlock();
            cancelTasks();
        }
    }

    private AppendResult append(Role required, int leaderEpoch, ByteBuffer batches, Append append) {
        state.lock();
        try {
            state.requireUsable();
            if (role != required || roleEpoch != leaderEpoch) {
                return new AppendResult.Refused(
                        ErrorCode.FENCED_LEADER_EPOCH,
                        "append as " + required + " of epoch " + leaderEpoch + ", the log has " + role + " of epoch "
                                + roleEpoch);
            }
            LeaderEpochHistory before = state.view().epochs();
            AppendResult result = append.run();
            if (result instanceof AppendResult.Appended) {
                flushes.onAppended(batches);
            }
            if (!state.view().epochs().equals(before)) {
                epochWriter.onChanged();
            }
            return result;
        } catch (IOException | RuntimeException e) {
            throw state.fence("append to", e);
        } finally {
            state.unlock();
        }
    }

    private void takeRole(Role next, int leaderEpoch) {
        role = next;
        roleEpoch = leaderEpoch;
    }

    private void cancelTasks() {
        forcer.cancel();
        epochWriter.close();
    }

    @Override
    public String toString() {
        return "log " + context.partition() + " in " + context.logDirectory();
    }

    /** Each answer comes from one published view. */
    private final class LiveEpochs implements LeaderEpochs {
        @Override
        public List<EpochStart> entries() {
            return state.lastView().epochs().entries();
        }

        @Override
        public Optional<EpochEnd> endOf(int epoch) {
            LogView view = state.lastView();
            return view.epochs().endOf(epoch, view.end().offset());
        }

        @Override
        public int latest() {
            return state.lastView().epochs().latest();
        }
    }
}
