package io.tidemark.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.tidemark.runtime.Randomness;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class TopicIdTest {
    @Test
    void shouldPrintThirtyTwoHexadecimalDigits() {
        assertThat(new TopicId(0x0123_4567_89ab_cdefL, -1L)).hasToString("0123456789abcdefffffffffffffffff");
    }

    @ParameterizedTest
    @ValueSource(strings = {"00000000000000000000000000000000", "ffffffffffffffff8000000000000000"})
    void shouldParseWhatItPrints(String text) {
        assertThat(TopicId.parse(text)).hasToString(text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "0123", "0000000000000000000000000000000g", "000000000000000000000000000000000"})
    void shouldRefuseOtherText(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> TopicId.parse(text));
    }

    @Test
    void shouldOrderAsUnsignedLikeItsText() {
        // given
        TopicId zero = new TopicId(0, 0);
        TopicId lowTop = new TopicId(0, Long.MIN_VALUE);
        TopicId one = new TopicId(1, 0);
        TopicId top = new TopicId(-1, 0);
        // then
        assertThat(List.of(top, one, zero, lowTop).stream().sorted()).containsExactly(zero, lowTop, one, top);
        assertThat(one).isEqualByComparingTo(new TopicId(1, 0));
    }

    @Test
    void shouldTakeAllBitsFromTheRandomness() {
        // given
        Randomness sevenThenMinusTwo = new Randomness() {
            private long next = 16;

            @Override
            public int nextInt(int boundExclusive) {
                throw new AssertionError("an id needs 128 bits");
            }

            @Override
            public long nextLong() {
                next -= 9;
                return next;
            }
        };
        // then
        assertThat(TopicId.random(sevenThenMinusTwo)).isEqualTo(new TopicId(7, -2));
    }
}
