package io.tidemark.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ProducerStampTest {
    @ParameterizedTest
    @CsvSource({"0, 0, -1", "0, -1, 0", "-1, 0, 0", "-1, -1, 0", "-1, 0, -1", "-2, -1, -1", "1, -2, 1", "1, 1, -2"})
    void shouldRefuseHalfAStamp(long producerId, short epoch, int sequence) {
        assertThatIllegalArgumentException().isThrownBy(() -> new ProducerStamp(producerId, epoch, sequence));
    }

    @Test
    void shouldAllowAllOrNothing() {
        assertThat(new ProducerStamp(-1, (short) -1, -1)).isEqualTo(ProducerStamp.NONE);
        assertThat(new ProducerStamp(0, (short) 0, 0).producerId()).isZero();
        assertThat(new ProducerStamp(Long.MAX_VALUE, Short.MAX_VALUE, Integer.MAX_VALUE).baseSequence())
                .isEqualTo(Integer.MAX_VALUE);
    }
}
