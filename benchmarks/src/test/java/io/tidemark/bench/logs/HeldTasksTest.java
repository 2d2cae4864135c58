package io.tidemark.bench.logs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ScheduledFuture;
import org.junit.jupiter.api.Test;

final class HeldTasksTest {
    private final List<String> ran = new ArrayList<>();

    @Test
    void shouldRunOursWhenToldAndInOrder() {
        // given
        HeldTasks tasks = new HeldTasks();
        tasks.schedule(Duration.ofHours(1), () -> {
            ran.add("first");
            tasks.schedule(Duration.ZERO, () -> ran.add("third"));
        });
        tasks.schedule(Duration.ZERO, () -> ran.add("second"));
        tasks.schedule(Duration.ZERO, () -> ran.add("never")).cancel();
        tasks.scheduleEvery(Duration.ofMillis(1), () -> ran.add("never"));
        assertThat(ran).isEmpty();

        // when
        tasks.runAll();

        // then
        assertThat(ran).containsExactly("first", "second", "third");
    }

    @Test
    void shouldRunKafkasWhenToldAndInOrder() {
        // given
        KafkaTasks tasks = new KafkaTasks();
        tasks.schedule("first", () -> ran.add("first"), 60_000, -1);
        ScheduledFuture<?> cancelled = tasks.schedule("never", () -> ran.add("never"), 0, -1);
        cancelled.cancel(true);
        tasks.schedule("never", () -> ran.add("never"), 0, 1);
        tasks.schedule("second", () -> ran.add("second"), 0, -1);
        assertThat(ran).isEmpty();

        // when
        tasks.runAll();

        // then
        assertThat(ran).containsExactly("first", "second");
    }

    @Test
    void shouldNotHideThatATaskOfKafkaFailed() {
        // given
        KafkaTasks tasks = new KafkaTasks();
        tasks.schedule(
                "bad",
                () -> {
                    throw new UnsupportedOperationException("no");
                },
                0,
                -1);

        // when / then
        assertThatIllegalStateException()
                .isThrownBy(tasks::runAll)
                .withRootCauseInstanceOf(UnsupportedOperationException.class);
    }
}
