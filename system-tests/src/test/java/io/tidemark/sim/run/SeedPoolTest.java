package io.tidemark.sim.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.core.testkit.ManualClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Many seeds on several threads, told in order. */
final class SeedPoolTest {
    private static final Duration EVER = Duration.ofDays(1);

    private final ManualClock clock = new ManualClock();
    private final List<Long> told = new ArrayList<>();

    // Fails if: SeedPool.Pass tells results as they come
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 5})
    void shouldTellResultsInTheOrderOfTheSeeds(int threads) {
        // when
        RunReport report = pool(threads, 1, EVER).run(new Seeds(-3, 700), SeedPoolTest::clean, this::tell);

        // then
        assertThat(told)
                .containsExactlyElementsOf(
                        LongStream.rangeClosed(-3, 700).boxed().toList());
        assertThat(report.runs()).isEqualTo(704);
        assertThat(report.sum().events()).isEqualTo(704 * 10L);
        assertThat(report.violations()).isEmpty();
    }

    // A slow seed holds the telling, not the running: the seeds behind it must not wait for it.
    // Fails if: SeedPool.Pass.over() takes a result before the window is full
    @Test
    void shouldRunOthersWhileOneIsSlow() {
        // given
        CountDownLatch others = new CountDownLatch(10);

        // when
        RunReport report = pool(2, 1, EVER)
                .run(
                        new Seeds(1, 11),
                        seed -> {
                            if (seed == 1) {
                                await(others);
                            } else {
                                others.countDown();
                            }
                            return clean(seed);
                        },
                        this::tell);

        // then
        assertThat(report.runs()).isEqualTo(11);
        assertThat(told).isSorted();
    }

    // Fails if: SeedPool.Pass.isOver() does not look at the violations
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void shouldStopAtTheSameSeedWithAnyNumberOfThreads(int threads) {
        // when
        RunReport report =
                pool(threads, 2, EVER).run(new Seeds(1, 1_000), SeedPoolTest::everyTenthViolates, this::tell);

        // then
        assertThat(report.violations()).extracting(SeedResult::seed).containsExactly(10L, 20L);
        assertThat(told).hasSize(20);
        assertThat(report.runs()).isEqualTo(20);
    }

    // Fails if: SeedPool.Pass.isOver() does not look at the clock
    @Test
    void shouldStopWhenItsTimeIsOver() {
        // when
        RunReport report = pool(1, 1, Duration.ofSeconds(5)).run(new Seeds(1, 1_000), SeedPoolTest::clean, result -> {
            tell(result);
            clock.advance(Duration.ofSeconds(1));
        });

        // then
        assertThat(report.runs()).isEqualTo(5);
        assertThat(report.elapsed()).isEqualTo(Duration.ofSeconds(5));
        assertThat(report.runsPerSecond()).isEqualTo(1.0);
    }

    // Fails if: SeedPool.Pass.taken() swallows what a run threw
    @Test
    void shouldThrowWhatIsNoResult() {
        assertThatThrownBy(() -> pool(2, 1, EVER)
                        .run(
                                new Seeds(1, 10),
                                seed -> {
                                    throw new IllegalArgumentException("no such plan");
                                },
                                this::tell))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("no such plan");
    }

    // Issue 5 (must show 3). Fails if: RunReport.missed() compares sums
    @Test
    void shouldSayWhatRunsShowedTooLittleOf() {
        // given
        RunReport.Floors floors = new RunReport.Floors(10, 5, 3, 2);
        RunCounts sum = new RunCounts(20, 30, 9, 2, 4, 0, 4, 0);

        // then
        assertThat(new RunReport(2, sum, List.of(), Duration.ofSeconds(1)).missed(floors))
                .singleElement()
                .asString()
                .contains("4.5 acknowledged records", "5 are needed");
    }

    // Fails if: Seeds.parse() takes the upper bound for excluded
    @Test
    void shouldReadRanges() {
        assertThat(Seeds.parse("1..100")).contains(new Seeds(1, 100));
        assertThat(Seeds.parse("-5..-5")).contains(new Seeds(-5, -5));
        assertThat(Seeds.parse("42")).contains(new Seeds(42, 42));
        assertThat(List.of("", "5..1", "1..", "..1", "1..2..3", "1-2", "99999999999999999999"))
                .allMatch(text -> Seeds.parse(text).isEmpty());
        assertThat(Seeds.from(7, 3)).isEqualTo(new Seeds(7, 9));
    }

    private SeedPool pool(int threads, int violations, Duration atMost) {
        return new SeedPool(clock, new SeedPool.Limits(threads, violations, atMost));
    }

    private void tell(SeedResult result) {
        told.add(result.seed());
    }

    private static RunResult clean(long seed) {
        return new RunResult.Clean(new RunCounts(10, 0, 0, 0, 0, 0, 0, 0), seed);
    }

    private static RunResult everyTenthViolates(long seed) {
        return seed % 10 == 0 ? new RunResult.Violated(RunCounts.NONE, "I1", "lost", List.of()) : clean(seed);
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
