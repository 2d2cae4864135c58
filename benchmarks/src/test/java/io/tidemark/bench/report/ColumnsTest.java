package io.tidemark.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class ColumnsTest {
    private final Columns columns = new Columns(List.of("row", "unit"), List.of(List.of("a long one", "1/s")));

    @Test
    void shouldAlignColumns() {
        assertThat(columns.text()).isEqualTo("row         unit\na long one  1/s\n");
    }

    @Test
    void shouldWriteMarkdown() {
        assertThat(columns.markdown()).isEqualTo("| row | unit |\n|---|---|\n| a long one | 1/s |\n");
    }
}
