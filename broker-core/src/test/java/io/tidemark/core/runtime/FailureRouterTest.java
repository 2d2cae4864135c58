package io.tidemark.core.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class FailureRouterTest {
    private final List<Throwable> storage = new ArrayList<>();
    private final List<Throwable> fatal = new ArrayList<>();
    private final FailureRouter router = new FailureRouter(storage::add, fatal::add);

    @Test
    void shouldHandStorageFailuresOnAlsoWhenTheyAreCauses() {
        // given
        KafkaStorageException failure = new KafkaStorageException("append to", Path.of("/x"), new Exception("EIO"));

        // when
        router.onTaskFailure("loop", failure);
        router.onTaskFailure("loop", new IllegalStateException(failure));

        // then
        assertThat(storage).containsExactly(failure, failure);
        assertThat(fatal).isEmpty();
    }

    @Test
    void shouldTreatBrokenInvariantsAndErrorsAsFatal() {
        // given
        Throwable invariant = new Invariant.InvariantBrokenException("high watermark above the log end");
        Throwable error = new OutOfMemoryError("heap");

        // when
        router.onTaskFailure("loop", invariant);
        router.onTaskFailure("loop", error);

        // then
        assertThat(fatal).containsExactly(invariant, error);
        assertThat(storage).isEmpty();
    }

    @Test
    void shouldOnlyLogOrdinaryFailures() {
        router.onTaskFailure("loop", new IllegalArgumentException("bad request"));
        assertThat(fatal).isEmpty();
        assertThat(storage).isEmpty();
    }
}
