package io.tidemark.bench.micro;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collection;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/** Runs each benchmark once, in this process and for a moment: they work, whatever they would measure. */
final class BenchmarksTest {
    // S21: append, sequential read, random read by offset with an index and without, truncation
    // Fails if: LogReadBenchmark.random is no benchmark any more.
    @Test
    @Timeout(value = 5, unit = TimeUnit.MINUTES)
    void shouldRunEachBenchmark() throws RunnerException {
        // given
        Options once = new OptionsBuilder()
                .include("io\\.tidemark\\.bench\\.micro\\.")
                .forks(0)
                .warmupIterations(0)
                .measurementIterations(1)
                .measurementTime(TimeValue.milliseconds(1))
                .param("batchBytes", "16384")
                .param("keys", "6")
                .param("others", "10")
                .shouldFailOnError(true)
                .build();

        // when
        Collection<RunResult> results = new Runner(once).run();

        // then
        Set<String> ran = results.stream()
                .map(result -> result.getParams().getBenchmark().replaceAll(".*\\.(\\w+\\.\\w+)$", "$1"))
                .collect(Collectors.toSet());
        assertThat(ran)
                .containsExactlyInAnyOrder(
                        "CodecBenchmark.build",
                        "CodecBenchmark.iterate",
                        "CodecBenchmark.viewHeader",
                        "CrcBenchmark.heapCrc",
                        "CrcBenchmark.directCrc",
                        "CrcBenchmark.validateProduced",
                        "LogAppendBenchmark.append",
                        "LogReadBenchmark.sequential",
                        "LogReadBenchmark.random",
                        "LogTruncateBenchmark.truncate",
                        "PurgatoryBenchmark.watchAndComplete",
                        "PurgatoryBenchmark.satisfiedAtOnce",
                        "WakeUpBenchmark.wakeUp");
        assertThat(results).hasSizeGreaterThan(ran.size());
        assertThat(results)
                .allSatisfy(result ->
                        assertThat(result.getPrimaryResult().getScore()).isPositive());
    }
}
