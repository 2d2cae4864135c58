package io.tidemark.bench.logs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Collection;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/** Runs each row once for either system, in this process and for a moment, on small logs: they work, whatever they would measure. */
final class LogBenchmarksTest {
    @Test
    @Timeout(value = 5, unit = TimeUnit.MINUTES)
    void shouldRunEachRow() throws RunnerException {
        // given
        OptionsBuilder once = new OptionsBuilder();
        once.include(Arrays.stream(LogRow.values())
                        .map(LogRow::pattern)
                        .distinct()
                        .collect(Collectors.joining("|")))
                .forks(0)
                .warmupIterations(0)
                .measurementIterations(1)
                .measurementTime(TimeValue.milliseconds(1))
                .param("batchBytes", "16384")
                .param("mebibytes", "1")
                .shouldFailOnError(true);

        // when
        Collection<RunResult> results = new Runner(once.build()).run();

        // then
        long benchmarks =
                Arrays.stream(LogRow.values()).map(LogRow::pattern).distinct().count();
        assertThat(results)
                .hasSize((int) benchmarks * LogSystem.values().length)
                .allSatisfy(result ->
                        assertThat(result.getPrimaryResult().getScore()).isPositive());
    }
}
