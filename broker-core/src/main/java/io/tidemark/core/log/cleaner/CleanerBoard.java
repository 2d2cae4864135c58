package io.tidemark.core.log.cleaner;

import io.tidemark.core.log.cleaner.CleanableLog.Snapshot;
import io.tidemark.core.runtime.KafkaStorageException;
import io.tidemark.model.TopicId;
import io.tidemark.model.TopicPartition;
import io.tidemark.runtime.Clock;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the threads of the cleaner share: which log is being cleaned by whom, which ones are set aside, and what is known about
 * tombstones. Thread-safe; calls no log while it holds its monitor.
 *
 * <p>A log whose cleaning failed is set aside until it is deleted or cut, as it is where a damage was, or the broker starts again:
 * it costs its disk space, and the others are cleaned on (S74, KAFKA-7215).
 */
final class CleanerBoard {
    private static final Logger LOG = LoggerFactory.getLogger(CleanerBoard.class);

    private final Supplier<List<CleanerTarget>> targets;
    private final Clock clock;
    private final Set<TopicPartition> inProgress = new TreeSet<>();
    private final Map<TopicPartition, Mark> aside = new TreeMap<>();
    private final Map<TopicPartition, Horizon> horizons = new TreeMap<>();
    private long resets;
    private long passes;
    private volatile long lastLookNs;
    private volatile double maxDirtyRatio;

    /** A log that is set aside. */
    private record Mark(TopicId topicId, long truncations, long sizeBytes) {
        private boolean isOf(@Nullable CleanableLog log) {
            return log != null && log.topicId().equals(topicId) && log.truncations() == truncations;
        }
    }

    /** When the first tombstone of a log's clean part may go, if there is one. */
    private record Horizon(TopicId topicId, OptionalLong earliestMs) {}

    /** A log that may be chosen. */
    private record Seen(CleanerTarget target, Snapshot snapshot, CleaningPlan plan) {}

    /**
     * @param targets all logs, asked at each look
     */
    CleanerBoard(Supplier<List<CleanerTarget>> targets, Clock clock) {
        this.targets = targets;
        this.clock = clock;
        this.lastLookNs = clock.monotonicNs();
    }

    /**
     * What to do next; whoever gets it ends it with {@link #done} or {@link #failed}. Checkpoints that do not fit their logs are
     * set right on the way, whether there is something to do or not.
     */
    Optional<CleanerWork> next(CleaningTools tools) {
        long nowMs = clock.wallMs();
        List<Seen> seen = look(nowMs);
        maxDirtyRatio =
                seen.stream().mapToDouble(log -> log.plan().dirtyRatio()).max().orElse(0);
        lastLookNs = clock.monotonicNs();
        Map<TopicPartition, Seen> byName = new TreeMap<>();
        seen.forEach(log -> byName.put(log.plan().partition(), log));
        for (CleaningPlan plan :
                CleanerPlanner.candidates(seen.stream().map(Seen::plan).toList())) {
            Seen chosen = byName.get(plan.partition());
            if (chosen != null && claim(plan.partition())) {
                return Optional.of(new CleaningPass(chosen.target(), tools, knownHorizon(chosen.target()), nowMs));
            }
        }
        return unscanned(seen);
    }

    private Optional<CleanerWork> unscanned(List<Seen> seen) {
        for (Seen log : seen) {
            boolean hasCleanPart =
                    log.target().checkpoint().offsetOf(log.plan().partition()).isPresent();
            if (hasCleanPart
                    && !isHorizonKnown(log.target())
                    && claim(log.plan().partition())) {
                return Optional.of(
                        new HorizonScan(log.target(), log.snapshot(), log.plan().cleanEnd()));
            }
        }
        return Optional.empty();
    }

    /** The work came to an end, for better or worse; the log is as good as before. */
    synchronized void done(CleanerWork work, Outcome outcome) {
        CleanableLog log = work.target().log();
        inProgress.remove(log.partition());
        if (outcome != Outcome.DONE) {
            return;
        }
        if (work instanceof CleaningPass pass) {
            passes++;
            horizons.put(
                    log.partition(), new Horizon(log.topicId(), pass.stats().earliestHorizonMs()));
        } else if (work instanceof HorizonScan scan) {
            horizons.put(log.partition(), new Horizon(log.topicId(), scan.earliestHorizonMs()));
        }
    }

    /** The work failed: its log is set aside. */
    void failed(CleanerWork work, Exception cause) {
        setAside(work.target().log(), work.truncations(), cause);
        synchronized (this) {
            inProgress.remove(work.target().log().partition());
        }
    }

    synchronized int uncleanablePartitions() {
        return aside.size();
    }

    synchronized long uncleanableBytes() {
        return aside.values().stream().mapToLong(Mark::sizeBytes).sum();
    }

    /** Checkpoints that were set right. */
    synchronized long resets() {
        return resets;
    }

    /** Passes that came to their end. */
    synchronized long passes() {
        return passes;
    }

    double maxDirtyRatio() {
        return maxDirtyRatio;
    }

    /** When the logs were last looked through, by the monotonic clock. */
    long lastLookNs() {
        return lastLookNs;
    }

    private List<Seen> look(long nowMs) {
        List<CleanerTarget> all = targets.get();
        forgetChanged(all);
        List<Seen> seen = new ArrayList<>();
        for (CleanerTarget target : all) {
            boolean isCompacted = target.log().config().compaction().policy().compacts();
            Seen found = isCompacted && isFree(target.log().partition()) ? lookAt(target, nowMs) : null;
            if (found != null) {
                seen.add(found);
            }
        }
        return seen;
    }

    private @Nullable Seen lookAt(CleanerTarget target, long nowMs) {
        CleanableLog log = target.log();
        long truncations = log.truncations();
        try {
            long changes = target.checkpoint().changesOf(log.partition());
            OptionalLong checkpoint = target.checkpoint().offsetOf(log.partition());
            Optional<Snapshot> snapshot = log.snapshot();
            if (snapshot.isEmpty()) {
                return null;
            }
            CleaningPlan plan = CleanerPlanner.plan(
                    LogLook.figures(log.partition(), snapshot.get(), checkpoint, knownHorizon(target)), nowMs);
            if (plan.forcedCheckpoint().isPresent()) {
                reset(target, plan, changes);
            }
            return new Seen(target, snapshot.get(), plan);
        } catch (KafkaStorageException e) {
            throw e;
        } catch (IOException e) {
            if (log.isClosed()) {
                return null;
            }
            throw new KafkaStorageException(
                    "look for what to clean in", log.space().directory(), e);
        } catch (RuntimeException e) {
            if (log.truncations() == truncations) {
                setAside(log, truncations, e);
            }
            return null;
        }
    }

    private void reset(CleanerTarget target, CleaningPlan plan, long changes) {
        long offset = plan.forcedCheckpoint().orElseThrow();
        OptionalLong before = target.checkpoint().offsetOf(plan.partition());
        if (!target.checkpoint().record(plan.partition(), offset, changes)) {
            return;
        }
        synchronized (this) {
            resets++;
        }
        if (target.log().config().compaction().policy().deletes()) {
            LOG.debug("{}: the start has passed the cleaner checkpoint, which is {} now", plan.partition(), offset);
        } else {
            LOG.warn(
                    "{}: cleaner checkpoint {} is not in the log; it is {} now",
                    plan.partition(),
                    before.isPresent() ? before.getAsLong() : "none",
                    offset);
        }
    }

    private void setAside(CleanableLog log, long truncations, Exception cause) {
        long sizeBytes = log.snapshot().stream()
                .flatMap(snapshot -> snapshot.segments().stream())
                .mapToLong(segment -> segment.sizeBytes())
                .sum();
        LOG.error(
                "{} cannot be cleaned and is set aside with {} bytes until the broker starts again; tidemark log verify on"
                        + " its directory says more",
                log.partition(),
                sizeBytes,
                cause);
        synchronized (this) {
            aside.put(log.partition(), new Mark(log.topicId(), truncations, sizeBytes));
        }
    }

    private synchronized void forgetChanged(List<CleanerTarget> all) {
        Map<TopicPartition, CleanableLog> present = new TreeMap<>();
        all.forEach(target -> present.put(target.log().partition(), target.log()));
        aside.entrySet().removeIf(entry -> !entry.getValue().isOf(present.get(entry.getKey())));
        horizons.entrySet().removeIf(entry -> {
            CleanableLog log = present.get(entry.getKey());
            return log == null || !log.topicId().equals(entry.getValue().topicId());
        });
    }

    private synchronized boolean isFree(TopicPartition partition) {
        return !inProgress.contains(partition) && !aside.containsKey(partition);
    }

    private synchronized boolean claim(TopicPartition partition) {
        return !aside.containsKey(partition) && inProgress.add(partition);
    }

    private synchronized boolean isHorizonKnown(CleanerTarget target) {
        return horizons.containsKey(target.log().partition());
    }

    private synchronized OptionalLong knownHorizon(CleanerTarget target) {
        Horizon known = horizons.get(target.log().partition());
        return known == null ? OptionalLong.empty() : known.earliestMs();
    }
}
