package io.tidemark.core.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class LifecycleTest {
    private final List<String> calls = new ArrayList<>();

    @Test
    void shouldStopInTheOppositeOrder() throws Exception {
        // given
        Lifecycle lifecycle = lifecycle("a", "b", "c");

        // when
        lifecycle.start();
        lifecycle.stop();
        lifecycle.stop();

        // then
        assertThat(calls).containsExactly("+a", "+b", "+c", "-c", "-b", "-a");
    }

    @Test
    void shouldStopWhatHadStartedWhenAStepFails() {
        // given
        Lifecycle lifecycle = lifecycle("a", "b")
                .step(
                        "broken",
                        () -> {
                            throw new IOException("no port");
                        },
                        () -> calls.add("-broken"))
                .step("never", () -> calls.add("+never"));

        // when, then
        assertThatThrownBy(lifecycle::start).isInstanceOf(IOException.class).hasMessage("no port");
        assertThat(calls).containsExactly("+a", "+b", "-b", "-a");
    }

    @Test
    void shouldStopEverythingAndKeepTheFirstFailure() throws Exception {
        // given
        Lifecycle lifecycle = lifecycle("a")
                .step("second", () -> {}, () -> {
                    throw new IllegalStateException("later failure");
                })
                .step("third", () -> {}, () -> {
                    throw new IOException("first failure");
                });
        lifecycle.start();

        // when, then
        assertThatThrownBy(lifecycle::stop)
                .isInstanceOf(IOException.class)
                .hasMessage("first failure")
                .satisfies(failure -> assertThat(failure.getSuppressed())
                        .singleElement()
                        .satisfies(later -> assertThat(later).hasMessage("later failure")));
        assertThat(calls).containsExactly("+a", "-a");
    }

    @Test
    void shouldAttachFailuresOfTheStopToTheFailureOfTheStart() {
        // given
        Lifecycle lifecycle = new Lifecycle()
                .step("first", () -> {}, () -> {
                    throw new IllegalStateException("stop failed");
                })
                .step("second", () -> {
                    throw new AssertionError("start failed");
                });

        // when, then
        assertThatThrownBy(lifecycle::start)
                .isInstanceOf(AssertionError.class)
                .satisfies(failure -> assertThat(failure.getSuppressed()).hasSize(1));
    }

    @Test
    void shouldStartOnce() throws Exception {
        Lifecycle lifecycle = lifecycle("a");
        lifecycle.start();
        assertThatThrownBy(lifecycle::start).isInstanceOf(Invariant.InvariantBrokenException.class);
    }

    private Lifecycle lifecycle(String... names) {
        Lifecycle lifecycle = new Lifecycle();
        for (String name : names) {
            lifecycle.step(name, () -> calls.add("+" + name), () -> calls.add("-" + name));
        }
        return lifecycle;
    }
}
