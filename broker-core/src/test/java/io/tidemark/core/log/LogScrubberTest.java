package io.tidemark.core.log;

import static io.tidemark.core.log.LogRig.append;
import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.tidemark.core.config.LogConfig;
import io.tidemark.core.io.FaultFiles;
import io.tidemark.core.io.FaultPlan;
import io.tidemark.core.io.FaultRule;
import io.tidemark.core.io.FileBytes;
import io.tidemark.core.io.FileOperation;
import io.tidemark.core.io.SimDisk;
import io.tidemark.core.metrics.ScrubMetrics;
import io.tidemark.core.testkit.ManualClock;
import io.tidemark.core.testkit.ManualEventLoops;
import io.tidemark.core.testkit.ManualScheduler;
import io.tidemark.model.TopicPartition;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The scrubber finds what nobody reads, slowly, and stands in nobody's way (DESIGN section 3). */
final class LogScrubberTest {
    private static final int BATCH_BYTES = 200;
    private static final LogConfig CONFIG =
            LogRig.CONFIG.withSegmentBytes(10 * BATCH_BYTES).withDeleteDelay(Duration.ZERO);
    private static final Path FIRST_SEGMENT =
            LogRig.DIRECTORY.resolve(LogRig.PARTITION.toString()).resolve("00000000000000000000.log");
    private static final TopicPartition OTHER = new TopicPartition("payments", 3);

    private final SimDisk disk = new SimDisk();
    private final FaultPlan faults = new FaultPlan();
    private final LogRig rig = new LogRig(CONFIG, disk, new FaultFiles(disk, faults, delay -> {}));
    private final ManualEventLoops loops = new ManualEventLoops(new ManualScheduler(new ManualClock()));
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final List<String> found = new ArrayList<>();

    private LogScrubber scrubber(long bytesPerSecond) {
        LogScrubber scrubber = new LogScrubber(
                rig.directories,
                bytesPerSecond,
                loops.open("scrubber"),
                new ScrubMetrics(registry),
                (partition, damage) -> found.add(partition + " " + damage.firstBadOffset()));
        scrubber.start();
        return scrubber;
    }

    private static void fill(Log log, int batches) {
        for (int i = 0; i < batches; i++) {
            append(log, 0, Batches.ofSize(BATCH_BYTES));
        }
    }

    private Log other() {
        Log log = rig.directories.open(OTHER, LogRig.TOPIC_ID, CONFIG);
        log.becomeLeader(0);
        return log;
    }

    private void flip(Path file, int position) throws IOException {
        FileBytes.flip(disk, file, position, 4);
    }

    private double scrubbedBytes() {
        return registry.get("tidemark.log.scrubbed.bytes").counter().count();
    }

    // S5, DESIGN 3: found without a reader, told once, and known to the log
    // Fails if: LogScrub.settled does not add what it found
    @Test
    void shouldFindEveryDamageAndTellOfItOnce() throws Exception {
        // given
        Log log = rig.leader();
        fill(log, 25);
        fill(other(), 25);
        flip(FIRST_SEGMENT, 4 * BATCH_BYTES + 150);
        flip(FIRST_SEGMENT, 7 * BATCH_BYTES + 5);
        flip(LogRig.DIRECTORY.resolve(OTHER.toString()).resolve("00000000000000000010.log"), 9 * BATCH_BYTES + 100);

        // when: several rounds
        scrubber(1 << 20);
        loops.advance(Duration.ofSeconds(2));

        // then
        assertThat(found).containsExactly("orders-0 4", "orders-0 7", "payments-3 19");
        assertThat(log.damage().map(LogDamage::firstBadOffset)).contains(4L);
        assertThat(log.read(new ReadRequest(4, 1_000, ReadRequest.TO_END, ReadRequest.Minimum.ONE_BATCH)))
                .isInstanceOf(ReadResult.Corrupt.class);
    }

    // DESIGN 3: also where a sealed segment is shorter than it was; the round goes on behind it
    // Fails if: SegmentExaminer takes as given that the file has what was published
    @Test
    void shouldGoOnBehindASegmentThatHasLostItsEnd() throws Exception {
        // given
        fill(rig.leader(), 25);
        fill(other(), 25);
        FileBytes.cut(disk, FIRST_SEGMENT, 3 * BATCH_BYTES + 50);
        flip(LogRig.DIRECTORY.resolve(OTHER.toString()).resolve("00000000000000000010.log"), 9 * BATCH_BYTES + 100);

        // when
        scrubber(1 << 20);
        loops.advance(Duration.ofSeconds(2));

        // then
        assertThat(found).containsExactly("orders-0 3", "payments-3 19");
    }

    // Fails if: LogScrubber.slice ignores what a slice may read
    @Test
    void shouldKeepToItsRate() throws Exception {
        // given: 20 batches in sealed segments
        fill(rig.leader(), 25);

        // when: 1000 bytes in a second
        scrubber(5 * BATCH_BYTES);
        loops.advance(Duration.ofSeconds(3));

        // then
        assertThat(scrubbedBytes()).isBetween(12.0 * BATCH_BYTES, 16.0 * BATCH_BYTES);
    }

    // Fails if: LogScrubber.start schedules at a rate of 0
    @Test
    void shouldReadNothingAtARateOfZero() {
        // given
        fill(rig.leader(), 25);

        // when
        scrubber(0);
        loops.advance(Duration.ofSeconds(30));

        // then
        assertThat(scrubbedBytes()).isZero();
    }

    // Fails if: LogScrubber.slice loops where nothing is sealed
    @Test
    void shouldWaitForSomethingToBeSealed() {
        // given no log, then one of which nothing is sealed
        scrubber(1 << 20);
        loops.advance(Duration.ofSeconds(1));
        Log log = rig.leader();
        fill(log, 5);
        loops.advance(Duration.ofSeconds(1));
        assertThat(scrubbedBytes()).isZero();

        // when
        fill(log, 8);
        loops.advance(Duration.ofSeconds(11));

        // then
        assertThat(scrubbedBytes()).isPositive();
    }

    // Issue 5 (must show 7): a round that finds nothing to read is not begun again at once: 2,000 idle logs took a
    // whole processor
    // Fails if: LogScrubber.slice never rests
    @Test
    void shouldRestWhereNothingIsSealed() {
        // given: rounds through a log of which nothing is sealed
        Log log = rig.leader();
        fill(log, 5);
        scrubber(1 << 20);
        loops.advance(Duration.ofSeconds(1));

        // when
        fill(log, 8);
        loops.advance(Duration.ofSeconds(5));

        // then: the next round comes ten seconds after the last one
        assertThat(scrubbedBytes()).isZero();
        loops.advance(Duration.ofSeconds(5));
        assertThat(scrubbedBytes()).isPositive();
    }

    // S43, S44: segments and logs that vanish between two slices, and one that becomes active again
    // Fails if: LogScrub.sealedFrom asks for the segment it was in and nothing else
    @Test
    void shouldSurviveSegmentsThatVanish() {
        // given: in the middle of the first segment
        Log log = rig.leader();
        fill(log, 35);
        scrubber(10 * BATCH_BYTES);
        loops.advance(Duration.ofMillis(600));
        double before = scrubbedBytes();
        assertThat(before).isBetween(1.0, 9.0 * BATCH_BYTES);

        // when
        log.truncateTo(3);
        loops.advance(Duration.ofSeconds(1));
        log.truncateFullyAndStartAt(100);
        fill(log, 25);
        loops.advance(Duration.ofSeconds(10));
        rig.directories.delete(LogRig.PARTITION, LogRig.TOPIC_ID);
        loops.advance(Duration.ofSeconds(1));

        // then
        assertThat(scrubbedBytes()).isGreaterThan(before);
        assertThat(found).isEmpty();
        assertThat(rig.failures).isEmpty();
    }

    // S15: the scrubber stops nothing: a segment that it cannot read is for whoever needs it
    // Fails if: LogScrub lets an IOException pass
    @Test
    void shouldPassOverASegmentThatCannotBeRead() throws Exception {
        // given
        Log log = rig.leader();
        fill(log, 35);
        rig.restartCleanly();
        flip(FIRST_SEGMENT.resolveSibling("00000000000000000010.log"), 2 * BATCH_BYTES + 150);
        faults.add(FaultRule.failing(FileOperation.READ, "00000000000000000000.log"));

        // when
        scrubber(1 << 20);
        loops.advance(Duration.ofSeconds(1));

        // then
        assertThat(found).containsExactly("orders-0 12");
        assertThat(rig.log().end().offset()).isEqualTo(35);
    }

    // Fails if: LogScrubber.close leaves its timer
    @Test
    void shouldReadNothingOnceItIsClosed() {
        // given
        fill(rig.leader(), 25);
        LogScrubber scrubber = scrubber(1_000);
        loops.advance(Duration.ofMillis(300));
        double before = scrubbedBytes();

        // when
        scrubber.close();
        loops.advance(Duration.ofSeconds(5));

        // then
        assertThat(scrubbedBytes()).isEqualTo(before);
    }

    /** The pure part. */
    // Fails if: ScrubCursor.onRead begins again at the first log
    @Test
    void shouldGoRoundTheLogsThatThereAre() {
        // given
        Log first = rig.leader();
        Log last = other();
        ScrubCursor cursor = new ScrubCursor();
        ScrubPoint inside = new ScrubPoint(10, 400, 11);

        // when / then
        assertThat(cursor.turn(List.of())).isEmpty();
        assertThat(cursor.turn(List.of(first, last))).containsSame(first);
        cursor.onRead(List.of(first, last), Optional.of(inside));
        assertThat(cursor.turn(List.of(first, last))).containsSame(first);
        assertThat(cursor.point()).isEqualTo(inside);
        assertThat(cursor.turn(List.of(last))).as("the first is gone").containsSame(last);
        assertThat(cursor.point()).isEqualTo(ScrubPoint.FRONT);
        cursor.onRead(List.of(first, last), Optional.empty());
        assertThat(cursor.turn(List.of(first, last))).containsSame(first);
        cursor.onRead(List.of(first, last), Optional.empty());
        assertThat(cursor.turn(List.of(first, last))).containsSame(last);
    }
}
