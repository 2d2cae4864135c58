package io.tidemark.core.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

final class SeededRandomnessTest {
    /** The reference sequence that is published with the algorithm for seed 1234567. */
    @Test
    void shouldGiveTheReferenceSequence() {
        // given
        SeededRandomness random = new SeededRandomness(1_234_567);

        // when
        List<String> drawn = LongStream.generate(random::nextLong)
                .limit(5)
                .mapToObj(Long::toUnsignedString)
                .toList();

        // then
        assertThat(drawn)
                .containsExactly(
                        "6457827717110365317",
                        "3203168211198807973",
                        "9817491932198370423",
                        "4593380528125082431",
                        "16408922859458223821");
    }

    @Test
    void shouldStayWithinTheBoundAndReachAllOfIt() {
        // given
        SeededRandomness random = new SeededRandomness(7);
        int[] counts = new int[10];

        // when
        for (int i = 0; i < 10_000; i++) {
            counts[random.nextInt(10)]++;
        }

        // then
        assertThat(IntStream.of(counts).boxed()).as(random.toString()).allMatch(count -> count > 850 && count < 1_150);
        assertThat(random.nextInt(1)).isZero();
        assertThatThrownBy(() -> random.nextInt(0)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void shouldForkByLabelWhateverWasDrawnBefore() {
        // given
        SeededRandomness random = new SeededRandomness(99);
        long before = random.fork("network").nextLong();

        // when
        random.nextLong();

        // then
        assertThat(random.fork("network").nextLong()).isEqualTo(before);
        assertThat(random.fork("disk").nextLong()).isNotEqualTo(before);
        assertThat(new SeededRandomness(100).fork("network").nextLong()).isNotEqualTo(before);
    }

    @Test
    void shouldPrintItsSeed() {
        assertThat(new SeededRandomness(-5)).hasToString("seed -5L");
    }
}
