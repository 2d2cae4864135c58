package io.tidemark.checker;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.testkit.SeededRandomness;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The map of numbers, against the one that everybody knows. */
final class LongIntMapTest {
    @Test
    void shouldHoldWhatWasPutLast() {
        SeededRandomness choices = new SeededRandomness(5);
        LongIntMap map = new LongIntMap();
        Map<Long, Integer> model = new HashMap<>();
        for (int i = 0; i < 20_000; i++) {
            // Small keys collide with each other, large ones with the mask.
            long key = choices.oneIn(2) ? choices.nextInt(3_000) - 1_500 : choices.nextLong();
            map.put(key, i);
            model.put(key, i);
        }

        model.forEach((key, value) -> assertThat(map.get(key)).isEqualTo(value));
        assertThat(map.get(1_600)).isEqualTo(LongIntMap.ABSENT);
    }
}
