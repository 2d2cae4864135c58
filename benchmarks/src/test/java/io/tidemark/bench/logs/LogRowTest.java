package io.tidemark.bench.logs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;

final class LogRowTest {
    @Test
    void shouldSelectByTheBeginningOfAName() {
        assertThat(LogRow.select(List.of("append", "cleaner")))
                .containsExactly(LogRow.APPEND_16K, LogRow.APPEND_1M, LogRow.CLEANER);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LogRow.select(List.of("app")))
                .withMessageContaining("append-16k");
    }

    @Test
    void shouldCountBytesOrOperations() {
        assertThat(LogRow.APPEND_16K.figure(10, LogRow.Size.FULL)).isEqualTo(640);
        assertThat(LogRow.APPEND_16K.figure(10, LogRow.Size.QUICK)).isEqualTo(160);
        assertThat(LogRow.INDEX_LOOKUP.figure(10, LogRow.Size.FULL)).isEqualTo(10);
    }

    @Test
    void shouldFitOneBenchmark() {
        assertThat("io.tidemark.bench.logs.AppendRace.append").matches(LogRow.APPEND_1M.pattern());
        assertThat("io.tidemark.bench.logs.AppendRace.append2").doesNotMatch(LogRow.APPEND_1M.pattern());
    }
}
