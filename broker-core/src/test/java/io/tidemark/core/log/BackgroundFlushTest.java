package io.tidemark.core.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.tidemark.core.config.FlushConfig;
import io.tidemark.core.config.FlushMode;
import io.tidemark.core.config.LogConfig;
import io.tidemark.core.io.FaultFiles;
import io.tidemark.core.io.FaultPlan;
import io.tidemark.core.io.FaultRule;
import io.tidemark.core.io.Files;
import io.tidemark.core.io.SimDisk;
import io.tidemark.core.metrics.LogMetrics;
import io.tidemark.core.metrics.MeteredFiles;
import io.tidemark.core.runtime.KafkaStorageException;
import io.tidemark.core.testkit.ManualClock;
import io.tidemark.core.testkit.ManualEventLoops;
import io.tidemark.core.testkit.ManualScheduler;
import io.tidemark.core.testkit.SeededRandomness;
import io.tidemark.model.TopicId;
import io.tidemark.model.TopicPartition;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import org.junit.jupiter.api.Test;

/** Forces in the background: by mode, by count and by time, with group commit (DESIGN section 5). */
final class BackgroundFlushTest {
    private static final List<Path> DIRECTORIES = List.of(Path.of("/a"), Path.of("/b"));
    private static final FlushConfig NEVER = FlushConfig.DEFAULTS;
    private static final FlushConfig SYNC = NEVER.withMode(FlushMode.SYNC);
    private static final FlushConfig EVERY_5_RECORDS = NEVER.withEvery(5, Optional.empty());
    private static final FlushConfig EVERY_10_S = NEVER.withEvery(Long.MAX_VALUE, Optional.of(Duration.ofSeconds(10)));

    private final ManualScheduler scheduler = new ManualScheduler(new ManualClock());
    private final ManualEventLoops loops = new ManualEventLoops(scheduler);
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final SimDisk disk = new SimDisk();
    private final FaultPlan faults = FaultPlan.parse("");
    private final Queue<Runnable> whileForcing = new ArrayDeque<>();
    private final List<KafkaStorageException> failures = new ArrayList<>();
    private final List<String> told = new ArrayList<>();
    private final LogFlushers flushers = LogFlushers.onLoops(DIRECTORIES, loops, failures::add);
    private final LogDirectories logs = LogDirectories.load(
            new LogDirectories.World(files(), scheduler, new SeededRandomness(1), flushers),
            LogDirectories.Settings.of(DIRECTORIES, LogConfig.DEFAULTS),
            Runnable::run,
            LoadProgress.SILENT);

    BackgroundFlushTest() {
        flushers.onForced(
                log -> told.add(log.partition().topic() + " " + log.forcedEnd().offset()));
    }

    private Files files() {
        Files metered = new MeteredFiles(disk, new LogMetrics(registry), scheduler.clock());
        return new FaultFiles(metered, faults, delay -> {
            Runnable meanwhile = whileForcing.poll();
            if (meanwhile != null) {
                meanwhile.run();
            }
        });
    }

    /** A log that leads in epoch 0. */
    private Log log(String topic, FlushConfig flush) {
        Log log = logs.open(new TopicPartition(topic, 0), new TopicId(1, topic.hashCode()), config(flush));
        log.becomeLeader(0);
        return log;
    }

    private static LogConfig config(FlushConfig flush) {
        return LogConfig.DEFAULTS.with(flush);
    }

    private static void append(Log log, int records) {
        log.appendAsLeader(Batches.ofCount(records), 0);
    }

    private long forces() {
        return registry.get("tidemark.log.flush").timer().count();
    }

    // Issue 4, "flush by count".
    // Fails if: FlushTrigger.consider() compares with > instead of >=
    @Test
    void shouldForceOnceThatManyRecordsAreNot() {
        // given
        Log log = log("t", EVERY_5_RECORDS);

        // when, then
        append(log, 4);
        loops.runAll();
        assertThat(log.forcedEnd().offset()).isZero();
        append(log, 1);
        assertThat(log.forcedEnd().offset()).as("not on the appending thread").isZero();
        loops.runAll();
        assertThat(log.forcedEnd().offset()).isEqualTo(5);
    }

    // Issue 4, "flush by count": the count begins anew with whatever force began last.
    // Fails if: LogForcer.plan() does not call onForcing()
    @Test
    void shouldCountFromTheLastForceWhoeverAskedForIt() {
        // given
        Log log = log("t", EVERY_5_RECORDS);
        append(log, 4);
        log.force();

        // when, then
        append(log, 4);
        loops.runAll();
        assertThat(log.forcedEnd().offset()).isEqualTo(4);
        append(log, 1);
        loops.runAll();
        assertThat(log.forcedEnd().offset()).isEqualTo(9);
        append(log, 4);
        loops.runAll();
        assertThat(log.forcedEnd().offset()).isEqualTo(9);
    }

    // DESIGN section 3: gaps are normal, records are not counted by subtraction.
    // Fails if: FlushTrigger counts lastOffset - firstOffset + 1
    @Test
    void shouldCountRecordsAndNotOffsets() {
        // given
        Log log = log("t", EVERY_5_RECORDS);
        log.becomeFollower(1);

        // when
        log.appendAsFollower(Batches.at(100, 1, Batches.ofCount(2)), 1);
        log.appendAsFollower(Batches.at(1_000, 1, Batches.ofCount(2)), 1);
        loops.runAll();

        // then
        assertThat(log.forcedEnd().offset()).isZero();
    }

    // Issue 4, "flush by time": the oldest record that is not forced decides.
    // Fails if: FlushTrigger.arm() sets a new timer for each append
    @Test
    void shouldForceWhenTheOldestUnforcedRecordIsThatOld() {
        // given
        Log log = log("t", EVERY_10_S);
        append(log, 1);
        loops.advance(Duration.ofSeconds(6));
        append(log, 1);

        // when, then
        loops.advance(Duration.ofMillis(3_999));
        assertThat(log.forcedEnd().offset()).isZero();
        loops.advance(Duration.ofMillis(1));
        assertThat(log.forcedEnd().offset()).isEqualTo(2);
        append(log, 1);
        loops.advance(Duration.ofMillis(9_999));
        assertThat(log.forcedEnd().offset()).isEqualTo(2);
        loops.advance(Duration.ofMillis(1));
        assertThat(log.forcedEnd().offset()).isEqualTo(3);
    }

    // Issue 4, "flush by time": a force in between makes everything young again.
    // Fails if: FlushTrigger.onForcing() does not disarm
    @Test
    void shouldMeasureTimeFromTheFirstAppendAfterAForce() {
        // given
        Log log = log("t", EVERY_10_S);
        append(log, 1);
        loops.advance(Duration.ofSeconds(4));
        log.force();
        loops.advance(Duration.ofSeconds(1));
        append(log, 1);

        // when, then
        loops.advance(Duration.ofMillis(9_999));
        assertThat(log.forcedEnd().offset()).isEqualTo(1);
        loops.advance(Duration.ofMillis(1));
        assertThat(log.forcedEnd().offset()).isEqualTo(2);
    }

    // DESIGN section 10: costs follow the logs that are written to.
    // Fails if: FlushTrigger.onDue() sets the timer again
    @Test
    void shouldHaveATimerOnlyWhileThereIsSomethingToForce() {
        // given
        for (int i = 0; i < 20; i++) {
            log("idle" + i, EVERY_10_S);
        }
        Log log = log("t", EVERY_10_S);
        loops.advance(Duration.ofSeconds(1));
        int idle = scheduler.size();

        // when, then
        append(log, 1);
        append(log, 1);
        loops.advance(Duration.ofSeconds(1));
        assertThat(scheduler.size()).isEqualTo(idle + 1);
        log.force();
        assertThat(scheduler.size()).isEqualTo(idle);
        append(log, 1);
        loops.advance(Duration.ofSeconds(10));
        assertThat(scheduler.size()).isEqualTo(idle);
        assertThat(log.forcedEnd().offset()).isEqualTo(3);
    }

    // Issue 4: a topic's settings may change while its log is idle.
    // Fails if: SegmentedLog.reconfigure() does not tell the trigger
    @Test
    void shouldForceWhatAnIdleLogHoldsWhenItIsToldToForceByTime() {
        // given
        Log log = log("t", NEVER);
        append(log, 1);
        loops.advance(Duration.ofHours(1));
        assertThat(log.forcedEnd().offset()).as("nobody wanted it").isZero();

        // when
        log.reconfigure(config(EVERY_10_S));
        loops.advance(Duration.ofSeconds(10));

        // then
        assertThat(log.forcedEnd().offset()).isEqualTo(1);
    }

    // I12, DESIGN section 5: sync mode tells of each forced end.
    // Fails if: FlushTrigger.consider() ignores the mode
    @Test
    void shouldForceAfterEveryAppendInSyncModeAndTell() {
        // given
        Log log = log("t", SYNC);

        // when, then
        append(log, 3);
        assertThat(told).isEmpty();
        loops.runAll();
        assertThat(told).containsExactly("t 3");
        append(log, 1);
        loops.runAll();
        assertThat(told).containsExactly("t 3", "t 4");
    }

    // PERFORMANCE.md F 11: group commits, do not sync per record.
    // Fails if: LogFlusher keeps a list of requests instead of one entry for each log
    @Test
    void shouldForceOnceForAllAppendsThatWait() {
        // given
        Log log = log("t", SYNC);
        long before = forces();

        // when
        for (int i = 0; i < 100; i++) {
            append(log, 1);
            flushers.of(log.logDirectory()).request(log);
        }
        assertThat(loops.size()).as("the queue has one entry").isEqualTo(1);
        loops.runAll();

        // then
        assertThat(forces() - before).isEqualTo(1);
        assertThat(told).containsExactly("t 100");
    }

    // Issue 4, "group commit": what comes while a force runs joins the next.
    // Fails if: LogFlusher.hasMore() answers false
    @Test
    void shouldForceTogetherWhatIsAppendedWhileAForceRuns() {
        // given
        Log log = log("t", SYNC);
        faults.add(FaultRule.parse("force:*.log:slow=1"));
        whileForcing.add(() -> {
            append(log, 1);
            append(log, 1);
            append(log, 1);
        });
        long before = forces();

        // when
        append(log, 1);
        loops.runAll();

        // then
        assertThat(forces() - before).isEqualTo(2);
        assertThat(told).containsExactly("t 1", "t 4");
    }

    // Issue 4: no call while a lock is held; the log can be used from the listener.
    // Fails if: LogFlusher.forceNext() runs under the monitor, or the trigger asks under the log's lock
    @Test
    void shouldLetTheListenerAppendAndAskAgain() {
        // given
        Log log = log("t", SYNC);
        flushers.onForced(forced -> {
            told.add("forced " + forced.forcedEnd().offset());
            if (forced.end().offset() < 3) {
                append(forced, 1);
            }
        });

        // when
        append(log, 1);
        loops.runAll();

        // then
        assertThat(told).containsExactly("forced 1", "forced 2", "forced 3");
    }

    @Test
    void shouldTellWhoeverAskedForSeveralLogsOnceAllAreDurable() {
        // given: logs of both directories
        Log a = log("a", NEVER);
        Log b = log("b", NEVER);
        assertThat(a.logDirectory()).isNotEqualTo(b.logDirectory());
        append(a, 2);
        append(b, 3);

        // when
        flushers.force(
                List.of(a, b),
                () -> told.add(
                        "done " + a.forcedEnd().offset() + " " + b.forcedEnd().offset()));
        assertThat(told).isEmpty();
        loops.runAll();

        // then
        assertThat(told).containsExactly("a 2", "b 3", "done 2 3");
        flushers.force(List.of(), () -> told.add("done at once"));
        assertThat(told).endsWith("done at once");
    }

    /** A log that was deleted while somebody waits for it keeps nobody waiting. */
    @Test
    void shouldNotWaitForALogThatWasDeleted() {
        // given
        Log gone = log("gone", SYNC);
        append(gone, 1);

        // when
        flushers.force(List.of(gone), () -> told.add("done"));
        logs.delete(gone.partition(), gone.topicId());
        loops.runAll();

        // then
        assertThat(told).containsExactly("done");
        assertThat(failures).isEmpty();
    }

    // S15, KAFKA-10778: after a force that failed nobody is told anything.
    // Fails if: LogFlushers.Told.onFailure() does not set over
    @Test
    void shouldTellNobodyOfAForcedEndAfterAForceFailed() {
        // given
        Log a = log("a", SYNC);
        Log b = log("b", SYNC);
        faults.add(FaultRule.parse("force:*.log:times=1"));

        // when
        append(a, 1);
        flushers.force(List.of(a), () -> told.add("done"));
        append(b, 1);
        loops.runAll();

        // then
        assertThat(failures).hasSize(1);
        assertThat(failures.get(0)).hasMessageContaining("a-0");
        assertThat(told).isEmpty();
        assertThat(a.forcedEnd().offset()).isZero();
        assertThatThrownBy(() -> append(a, 1)).isInstanceOf(KafkaStorageException.class);
    }

    @Test
    void shouldForceNothingOnceClosed() {
        // given
        Log log = log("t", SYNC);
        append(log, 1);

        // when
        flushers.close();
        loops.runAll();
        append(log, 1);
        loops.runAll();

        // then
        assertThat(told).isEmpty();
        assertThat(log.forcedEnd().offset()).isZero();
    }
}
