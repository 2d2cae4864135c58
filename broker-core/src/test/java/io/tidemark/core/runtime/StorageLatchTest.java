package io.tidemark.core.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class StorageLatchTest {
    private static final KafkaStorageException FIRST = new KafkaStorageException("the first");
    private static final KafkaStorageException SECOND = new KafkaStorageException("the second");

    private final List<KafkaStorageException> handled = new ArrayList<>();
    private final List<Boolean> seenWhileHandling = new ArrayList<>();
    private final StorageLatch latch = new StorageLatch(failure -> {
        handled.add(failure);
        seenWhileHandling.add(latch().isTripped());
    });

    private StorageLatch latch() {
        return latch;
    }

    /** S15, DESIGN 5: what is done about a failure takes time in which nothing may be acknowledged. */
    // Fails if: StorageLatch.onStorageFailure calls the next handler before it sets the latch.
    @Test
    void shouldBeSetBeforeTheFailureIsHandedOn() {
        // given
        assertThat(latch.isTripped()).isFalse();

        // when
        latch.onStorageFailure(FIRST);
        latch.onStorageFailure(SECOND);

        // then
        assertThat(seenWhileHandling).containsExactly(true, true);
        assertThat(handled).containsExactly(FIRST, SECOND);
        assertThat(latch.isTripped()).isTrue();
    }

    @Test
    void shouldStaySetWhenTheHandlerFails() {
        // given
        StorageLatch failing = new StorageLatch(failure -> {
            throw new IllegalStateException("cannot halt");
        });

        // when
        assertThatThrownBy(() -> failing.onStorageFailure(FIRST)).isInstanceOf(IllegalStateException.class);

        // then
        assertThat(failing.isTripped()).isTrue();
    }

    /** A task of the scheduler or of a loop that dies of a storage failure counts as every other. */
    // Fails if: FailureRouter no longer looks at the causes of what a task threw.
    @Test
    void shouldBeSetByATaskThatDiesOfAStorageFailure() {
        // given
        FailureRouter router = new FailureRouter(latch, broken -> {
            throw new AssertionError("not fatal", broken);
        });

        // when
        router.onTaskFailure("log-flusher-0", new IllegalStateException("a task failed", FIRST));

        // then
        assertThat(latch.isTripped()).isTrue();
        assertThat(handled).containsExactly(FIRST);
    }
}
