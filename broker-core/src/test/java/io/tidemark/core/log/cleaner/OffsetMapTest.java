package io.tidemark.core.log.cleaner;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.testkit.SeededRandomness;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class OffsetMapTest {
    private static ByteBuffer key(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    }

    // S72: nothing is no offset
    // Fails if: get answers 0 for a key that is not there.
    @Test
    void shouldKnowNothingWhenEmpty() {
        // given
        OffsetMap map = new OffsetMap(1_000);

        // then
        assertThat(map.get(key("k"))).isEqualTo(OffsetMap.ABSENT);
        assertThat(map.size()).isZero();
    }

    // Issue 4: bounded memory
    // Fails if: put does not look at the capacity.
    @Test
    void shouldRefuseANewKeyWhenFullAndTakeKnownOnes() {
        // given: ten slots, nine of which are used
        OffsetMap map = new OffsetMap(240);
        for (int i = 0; i < 9; i++) {
            assertThat(map.put(key("k" + i), i)).isTrue();
        }

        // then
        assertThat(map.capacity()).isEqualTo(9);
        assertThat(map.put(key("other"), 100)).isFalse();
        assertThat(map.get(key("other"))).isEqualTo(OffsetMap.ABSENT);
        assertThat(map.put(key("k3"), 100)).isTrue();
        assertThat(map.get(key("k3"))).isEqualTo(100);
        assertThat(map.size()).isEqualTo(9);
    }

    // Issue 4
    // Fails if: capacity is 0 for the smallest map.
    @Test
    void shouldHaveRoomForOneKeyAtLeast() {
        // given
        OffsetMap map = new OffsetMap(0);

        // then
        assertThat(map.put(key("a"), 0)).isTrue();
        assertThat(map.get(key("a"))).isZero();
        assertThat(map.put(key("b"), 1)).isFalse();
    }

    // Scenario 20
    // Fails if: the probe stops at the first slot whatever is in it.
    @Test
    void shouldAgreeWithAMap() {
        for (long seed = 1; seed <= 20; seed++) {
            // given
            SeededRandomness random = new SeededRandomness(seed);
            OffsetMap map = new OffsetMap(24L * (2 + random.nextInt(300)));
            Map<String, Long> model = new HashMap<>();

            // when
            for (long offset = 0; offset < 500; offset++) {
                String name = "key " + random.nextInt(200);
                if (map.put(key(name), offset)) {
                    model.put(name, offset);
                }
            }

            // then
            assertThat(map.size()).as("seed %d", seed).isEqualTo(model.size());
            for (int i = 0; i < 200; i++) {
                assertThat(map.get(key("key " + i)))
                        .as("seed %d, key %d", seed, i)
                        .isEqualTo(model.getOrDefault("key " + i, OffsetMap.ABSENT));
            }
            map.clear();
            assertThat(map.get(key("key 1"))).isEqualTo(OffsetMap.ABSENT);
        }
    }

    // Issue 4: bounded memory, taken as it is needed
    // Fails if: grown does not carry the keys over.
    @Test
    void shouldKeepAllKeysWhileItGrows() {
        // given
        OffsetMap map = new OffsetMap(24L * 40_000);

        // when
        for (int i = 0; i < 36_000; i++) {
            assertThat(map.put(key("k" + i), i)).isTrue();
        }

        // then
        assertThat(map.capacity()).isEqualTo(36_000);
        assertThat(map.put(key("one more"), 1)).isFalse();
        for (int i = 0; i < 36_000; i++) {
            assertThat(map.get(key("k" + i))).isEqualTo(i);
        }
        map.clear();
        assertThat(map.put(key("one more"), 1)).isTrue();
        assertThat(map.get(key("k1"))).isEqualTo(OffsetMap.ABSENT);
    }
}
