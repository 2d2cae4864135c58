package io.tidemark.server.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class LoopPassesTest {
    private static final long LIMIT_SECONDS = 30;

    private final NettyLoops threads = new NettyLoops("passes-test", 2);
    private final LoopPasses passes = new LoopPasses();
    private final List<String> done = new CopyOnWriteArrayList<>();

    @BeforeEach
    void join() {
        passes.add(threads);
    }

    @AfterEach
    void close() {
        threads.close();
    }

    /** DESIGN 5: wake-ups are collected per pass of a loop. */
    // Fails if: LoopPasses.execute runs the work at once on a loop's thread.
    @Test
    void shouldDoTheWorkOfALoopAfterWhatTheLoopIsAbout() throws Exception {
        // when
        inLoop(() -> {
            Thread handler = Thread.currentThread();
            passes.execute(() -> done.add("first work, same thread: " + (Thread.currentThread() == handler)));
            passes.execute(() -> done.add("second work"));
            done.add("handled");
        });
        inLoop(() -> {});

        // then
        assertThat(done).containsExactly("handled", "first work, same thread: true", "second work");
    }

    @Test
    void shouldDoTheWorkOfOtherThreadsAtOnce() {
        // when
        passes.execute(() -> done.add("work"));

        // then
        assertThat(done).containsExactly("work");
    }

    // Fails if: LoopPasses keeps the work elsewhere than with the loop, which then ends without it.
    @Test
    void shouldLoseNothingWhenTheLoopEnds() throws Exception {
        // when
        inLoop(() -> {
            threads.close();
            passes.execute(() -> done.add("work"));
        });

        // then
        assertThat(threads.group().terminationFuture().await(LIMIT_SECONDS, TimeUnit.SECONDS))
                .isTrue();
        assertThat(done).containsExactly("work");
    }

    /** Always the same of the loops. */
    private void inLoop(Runnable step) throws Exception {
        threads.group().iterator().next().submit(step).get(LIMIT_SECONDS, TimeUnit.SECONDS);
    }
}
