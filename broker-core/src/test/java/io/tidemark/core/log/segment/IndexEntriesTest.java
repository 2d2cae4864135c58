package io.tidemark.core.log.segment;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.Random;
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.api.Test;

final class IndexEntriesTest {
    private static final IndexEntries.Key KEY = (entries, slot) -> entries.intAt(slot, 0);
    private static final long SEED = 11;

    // Fails if: IndexEntries.floorNearGuess leaves out the slot right behind the look to the lower side
    @Test
    void shouldFindTheSlotHoweverUnevenlyKeysRise() {
        Random random = new Random(SEED);
        for (int count : new int[] {0, 1, 2, 31, 32, 33, 34, 40, 100, 1_000}) {
            assertAllFound(count, slot -> 1);
            assertAllFound(count, slot -> 7);
            assertAllFound(count, slot -> 1 + random.nextInt(5));
            assertAllFound(count, slot -> slot < count / 2 ? 1 : 40);
            assertAllFound(count, slot -> slot < count / 2 ? 40 : 1);
            assertAllFound(count, slot -> slot == count - 1 ? 5_000 : 1);
            assertAllFound(count, slot -> slot == 1 ? 5_000 : 1);
        }
    }

    // Fails if: IndexEntries.floorNearGuess subtracts keys as longs
    @Test
    void shouldFindTheSlotOfKeysThatAreAsFarApartAsCanBe() {
        int count = 50;
        ByteBuffer bytes = ByteBuffer.allocate(count * Long.BYTES);
        for (int slot = 0; slot < count; slot++) {
            bytes.putLong(slot * Long.BYTES, slot == 0 ? Long.MIN_VALUE : slot == count - 1 ? Long.MAX_VALUE : slot);
        }
        IndexEntries entries = new IndexEntries(bytes, Long.BYTES, count);
        IndexEntries.Key key = (view, slot) -> view.longAt(slot, 0);

        assertThat(entries.floorSlot(key, Long.MIN_VALUE)).isZero();
        assertThat(entries.floorSlot(key, 17)).isEqualTo(17);
        assertThat(entries.floorSlot(key, Long.MAX_VALUE - 1)).isEqualTo(count - 2);
        assertThat(entries.floorSlot(key, Long.MAX_VALUE)).isEqualTo(count - 1);
    }

    @Test
    void shouldFindNothingBelowTheFirst() {
        ByteBuffer bytes = ByteBuffer.allocate(Integer.BYTES).putInt(0, 5);
        IndexEntries entries = new IndexEntries(bytes, Integer.BYTES, 1);

        assertThat(entries.floorSlot(KEY, Long.MIN_VALUE)).isEqualTo(-1);
        assertThat(entries.floorSlot(KEY, 4)).isEqualTo(-1);
    }

    private static void assertAllFound(int count, IntUnaryOperator gapBefore) {
        ByteBuffer bytes = ByteBuffer.allocate(count * Integer.BYTES);
        int key = 0;
        for (int slot = 0; slot < count; slot++) {
            key += gapBefore.applyAsInt(slot);
            bytes.putInt(slot * Integer.BYTES, key);
        }
        IndexEntries entries = new IndexEntries(bytes, Integer.BYTES, count);
        int expected = -1;
        for (int target = 0; target <= key + 2; target++) {
            while (expected + 1 < count && entries.intAt(expected + 1, 0) <= target) {
                expected++;
            }
            assertThat(entries.floorSlot(KEY, target))
                    .as("%d of %d keys, seed %d", target, count, SEED)
                    .isEqualTo(expected);
        }
    }
}
