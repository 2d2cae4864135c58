package io.tidemark.bench.opening;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.tidemark.bench.report.Spread;
import org.junit.jupiter.api.Test;

final class OpenTableTest {
    private static final long MIB = 1 << 20;

    private static OpenTable table(double clean, double small, double large) {
        return new OpenTable(
                Spread.of(clean),
                new OpenTable.Unclean(100 * MIB, Spread.of(small)),
                new OpenTable.Unclean(800 * MIB, Spread.of(large)));
    }

    @Test
    void shouldFollowTheBytes() {
        // given
        OpenTable table = table(2, 3, 10);

        // when / then
        assertThat(table.msPerMebibyte(new OpenTable.Unclean(100 * MIB, Spread.of(3))))
                .isCloseTo(10, within(1e-9));
        assertThat(table.followsBytes()).isTrue();
        assertThat(table.isFast()).isTrue();
        assertThat(table.columns().text()).contains("under 5 s", "100 MiB", "800 MiB", "10.00", "follows the bytes");
    }

    @Test
    void shouldNotFollowWhatGrowsFaster() {
        assertThat(table(2, 2.1, 10).followsBytes()).isFalse();
    }

    @Test
    void shouldSayThatACleanOpeningIsSlow() {
        assertThat(table(5, 6, 7).isFast()).isFalse();
        assertThat(table(5, 6, 7).columns().text()).contains("not under 5.0 s");
    }
}
