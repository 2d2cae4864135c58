package io.tidemark.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

final class SpreadTest {
    @Test
    void shouldTakeTheMiddle() {
        assertThat(Spread.of(9, 1, 4)).isEqualTo(new Spread(4, 1, 9));
    }

    @Test
    void shouldTakeTheMiddleOfTwo() {
        assertThat(Spread.of(9, 1, 4, 6)).isEqualTo(new Spread(5, 1, 9));
    }

    @Test
    void shouldRefuseNoFigure() {
        assertThatIllegalArgumentException().isThrownBy(Spread::of);
    }
}
