package io.tidemark.cli.logging;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

final class StderrLoggerTest {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final PrintStream err = new PrintStream(bytes, true, StandardCharsets.UTF_8);

    @Test
    void shouldSayItsOwnWarningsAndTheErrorsOfLibraries() {
        // given
        StderrLogger own = new StderrLogger("io.tidemark.client.Thing", err);
        StderrLogger library = new StderrLogger("org.library.Thing", err);

        // when
        own.info("started");
        own.warn("{} of {} are gone", 1, 2);
        library.warn("something odd");
        library.error("broken", new IllegalStateException("why"));

        // then
        assertThat(bytes.toString(StandardCharsets.UTF_8).lines())
                .containsExactly(
                        "WARN io.tidemark.client.Thing 1 of 2 are gone",
                        "ERROR org.library.Thing broken: java.lang.IllegalStateException: why");
    }

    @Test
    void shouldBeFoundByTheNameInTheLaunchScript() {
        assertThat(StderrProvider.class.getName()).isEqualTo("io.tidemark.cli.logging.StderrProvider");
        assertThat(new StderrProvider().getLoggerFactory().getLogger("a").isErrorEnabled())
                .isTrue();
    }
}
