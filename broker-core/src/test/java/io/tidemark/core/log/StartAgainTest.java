package io.tidemark.core.log;

import static io.tidemark.core.log.LogRig.append;
import static io.tidemark.core.log.LogRig.ask;
import static io.tidemark.core.log.LogRig.copy;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.io.FaultFiles;
import io.tidemark.core.io.FaultPlan;
import io.tidemark.core.io.FaultRule;
import io.tidemark.core.io.FileOperation;
import io.tidemark.core.io.SimDisk;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Readers that come while a log begins again and waits for its directory to be forced. */
final class StartAgainTest {
    private static final int BATCH_BYTES = 200;

    private final FaultPlan plan = new FaultPlan();
    private final List<Runnable> whileForcing = new ArrayList<>();
    private final SimDisk disk = new SimDisk();
    private final LogRig rig = new LogRig(
            LogRig.CONFIG.withSegmentBytes(5 * BATCH_BYTES),
            disk,
            new FaultFiles(disk, plan, delay -> whileForcing.forEach(Runnable::run)));

    /** What a thread of its own gets, which must not have to wait for this one. */
    private static <T> T elsewhere(Supplier<T> question) {
        try {
            return CompletableFuture.supplyAsync(question).get(20, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new AssertionError("no answer while the disk works", e);
        }
    }

    private void slowDirectory() {
        plan.add(FaultRule.failing(FileOperation.FORCE_DIRECTORY, "orders-0").slowing(Duration.ofMillis(1)));
    }

    // KAFKA-9491, S10: the log is empty for readers as soon as its files begin to go
    // Fails if: LogTruncator.startAgainAt publishes only what comes after the force
    @Test
    void shouldAnswerReadersWhileItStartsAgain() {
        // given
        SegmentedLog log = rig.leader();
        for (int i = 0; i < 12; i++) {
            append(log, 0, Batches.ofSize(BATCH_BYTES));
        }
        List<Object> answers = new ArrayList<>();
        whileForcing.add(() -> {
            answers.add(elsewhere(() -> ask(log, 3)));
            answers.add(
                    elsewhere(() -> ((ReadResult.Data) ask(log, 40)).batches().remaining()));
            answers.add(elsewhere(() -> log.positionOf(3)));
            answers.add(elsewhere(() -> log.search(new TimeSearch(1, 100, () -> true))));
        });
        slowDirectory();

        // when
        LogEnd end = log.truncateFullyAndStartAt(40);

        // then
        assertThat(answers).hasSizeGreaterThanOrEqualTo(4);
        assertThat(answers.subList(0, 4))
                .containsExactly(new ReadResult.OutOfRange(40, 40), 0, 0L, new TimeSearch.None());
        assertThat(end).isEqualTo(new LogEnd(40, 0, -1));
        assertThat(rig.failures).isEmpty();
    }

    // KAFKA-6975, S10: an empty log that takes a batch from below its start
    // Fails if: LogReader.findPosition or LogTimeSearch.find looks again for segments that an empty log does not have
    @Test
    void shouldAnswerReadersWhileItStartsAgainBelow() {
        // given: an empty log that has had records, so that its segment lies in front of its start
        SegmentedLog log = rig.leader();
        append(log, 0, Batches.ofCount(4));
        log.committedBound(4);
        log.advanceStartOffset(4);
        log.becomeFollower(0);
        long position = log.end().position();
        List<Object> answers = new ArrayList<>();
        whileForcing.add(() -> {
            answers.add(elsewhere(() -> ask(log, 3)));
            answers.add(elsewhere(() -> log.positionOf(2)));
            answers.add(elsewhere(() -> log.search(new TimeSearch(1, 100, () -> true))));
        });
        slowDirectory();

        // when
        copy(log, 0, Batches.at(2, 0, Batches.ofCount(4)));

        // then
        assertThat(answers).hasSizeGreaterThanOrEqualTo(3);
        assertThat(answers.subList(0, 3))
                .containsExactly(new ReadResult.OutOfRange(4, 4), position, new TimeSearch.None());
        assertThat(LogRig.outline(log)).containsExactly("2-5@0");
    }
}
