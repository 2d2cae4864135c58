package io.tidemark.core.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.testkit.SeededRandomness;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class TimingWheelTest {
    private static final long TICK_NS = 10;

    private final TimingWheel<String> wheel = new TimingWheel<>(TICK_NS, 1_000);
    private final List<String> expired = new ArrayList<>();

    @Test
    void shouldExpireAtTheDueTimeAndNotBefore() {
        // given
        wheel.add(1_500, "on a tick");
        wheel.add(1_501, "between ticks");

        // when, then
        wheel.advanceTo(1_499, expired::add);
        assertThat(expired).isEmpty();
        wheel.advanceTo(1_500, expired::add);
        assertThat(expired).containsExactly("on a tick");
        wheel.advanceTo(1_509, expired::add);
        assertThat(expired).containsExactly("on a tick");
        wheel.advanceTo(1_510, expired::add);
        assertThat(expired).containsExactly("on a tick", "between ticks");
        assertThat(wheel.size()).isZero();
    }

    @Test
    void shouldExpireWhatIsPastAtTheNextTick() {
        // given
        wheel.advanceTo(2_000, expired::add);
        wheel.add(500, "past");

        // when
        wheel.advanceTo(2_000, expired::add);
        assertThat(expired).isEmpty();
        wheel.advanceTo(2_010, expired::add);

        // then
        assertThat(expired).containsExactly("past");
    }

    @Test
    void shouldForgetACancelledEntryAtOnce() {
        // given
        TimingWheel.Entry<String> near = wheel.add(1_100, "near");
        TimingWheel.Entry<String> far = wheel.add(1_000_000, "far");

        // when
        assertThat(wheel.cancel(near)).isTrue();
        assertThat(wheel.cancel(near)).isFalse();
        assertThat(wheel.cancel(far)).isTrue();

        // then
        assertThat(wheel.size()).isZero();
        assertThat(wheel.nextNs()).isEmpty();
        wheel.advanceTo(2_000_000, expired::add);
        assertThat(expired).isEmpty();
    }

    @Test
    void shouldRefuseToCancelWhatExpired() {
        TimingWheel.Entry<String> entry = wheel.add(1_100, "x");
        wheel.advanceTo(1_100, expired::add);
        assertThat(wheel.cancel(entry)).isFalse();
        assertThat(wheel.size()).isZero();
    }

    @Test
    void shouldHoldEntriesOfAnyDistance() {
        // given
        wheel.add(Long.MAX_VALUE, "in three hundred years");
        wheel.add(1_000 + 64 * 64 * 64 * TICK_NS, "three wheels up");

        // when
        wheel.advanceTo(1_000 + 64 * 64 * 64 * TICK_NS - 1, expired::add);
        assertThat(expired).isEmpty();
        wheel.advanceTo(1_000 + 64 * 64 * 64 * TICK_NS, expired::add);

        // then
        assertThat(expired).containsExactly("three wheels up");
        assertThat(wheel.size()).isEqualTo(1);
    }

    @Test
    void shouldLetTheConsumerAddAndCancel() {
        // given
        TimingWheel.Entry<String> victim = wheel.add(1_200, "victim");
        wheel.add(1_100, "first");

        // when
        wheel.advanceTo(1_500, item -> {
            expired.add(item);
            if (item.equals("first")) {
                wheel.cancel(victim);
                wheel.add(1_100, "second");
            }
        });

        // then
        assertThat(expired).containsExactly("first", "second");
    }

    /** Random adds, cancels and steps of time against a map of due times. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void shouldAgreeWithASimpleModel(long seed) {
        SeededRandomness random = new SeededRandomness(seed);
        TimingWheel<Integer> tested = new TimingWheel<>(TICK_NS, 0);
        Map<Integer, Long> due = new HashMap<>();
        Map<Integer, TimingWheel.Entry<Integer>> entries = new HashMap<>();
        long[] now = {0};
        long[] lastDue = {0};
        for (int step = 0; step < 20_000; step++) {
            String when = "step " + step + " of " + random;
            int kind = random.nextInt(10);
            if (kind < 6) {
                long delay = random.nextLong() & ((1L << random.nextInt(40)) - 1);
                due.put(step, now[0] + delay);
                entries.put(step, tested.add(now[0] + delay, step));
            } else if (kind < 8 && !entries.isEmpty()) {
                int victim = random.pick(
                        List.copyOf(entries.keySet().stream().limit(20).toList()));
                assertThat(tested.cancel(entries.remove(victim))).as(when).isTrue();
                due.remove(victim);
            } else {
                OptionalLong next = tested.nextNs();
                // the announced time is never later than the tick of the earliest entry
                due.values()
                        .forEach(at -> assertThat(next.orElseThrow()).as(when).isLessThan(at + 2 * TICK_NS));
                now[0] += random.nextLong() & ((1L << random.nextInt(36)) - 1);
                lastDue[0] = 0;
                tested.advanceTo(now[0], item -> {
                    long at = due.remove(item);
                    entries.remove(item);
                    assertThat(at).as(when).isLessThanOrEqualTo(now[0]);
                    assertThat(at).as(when).isGreaterThan(lastDue[0] - 2 * TICK_NS);
                    lastDue[0] = Math.max(lastDue[0], at);
                });
                due.values().forEach(at -> assertThat(at).as(when).isGreaterThan(now[0] - TICK_NS));
            }
            assertThat(tested.size()).as(when).isEqualTo(due.size());
        }
    }

    /** A driver that only ever wakes at the announced times misses nothing. */
    @Test
    void shouldAnnounceEveryTimeAtWhichThereIsSomethingToDo() {
        // given
        SeededRandomness random = new SeededRandomness(42);
        for (int i = 0; i < 1_000; i++) {
            wheel.add(1_000 + random.nextInt(100_000_000), "x");
        }

        // when
        int wakeUps = 0;
        while (wheel.nextNs().isPresent()) {
            wheel.advanceTo(wheel.nextNs().orElseThrow(), expired::add);
            wakeUps++;
        }

        // then
        assertThat(expired).hasSize(1_000);
        assertThat(wakeUps).isLessThan(1_000 * 5);
    }
}
