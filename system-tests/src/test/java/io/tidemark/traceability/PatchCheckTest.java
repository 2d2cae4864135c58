package io.tidemark.traceability;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class PatchCheckTest {
    private static final List<String> PATCH =
            List.of("--- a/m/A.java", "+++ b/m/A.java", "@@ -2,3 +2,3 @@", " one", "-two", "+three", " four");

    @TempDir
    private Path root;

    @BeforeEach
    void makeDirectories() throws IOException {
        Files.createDirectories(root.resolve("m"));
        Files.createDirectories(root.resolve(Traceability.MUTATIONS));
    }

    private List<String> complaints(List<String> patch, String... source) throws IOException {
        Files.write(root.resolve(Traceability.MUTATIONS + "/S1.patch"), patch);
        Files.write(root.resolve("m/A.java"), List.of(source));
        return new PatchCheck(root).complaints();
    }

    @Test
    void shouldAcceptAPatchWhereverItsLinesAre() throws IOException {
        assertThat(complaints(PATCH, "", "", "", "one", "two", "four", "")).isEmpty();
    }

    @Test
    void shouldComplainOfLinesThatAreNotThereOrThereTwice() throws IOException {
        assertThat(complaints(PATCH, "one", "2", "four"))
                .hasSize(1)
                .first()
                .asString()
                .contains("S1.patch", "m/A.java");
        assertThat(complaints(PATCH, "one", "two", "five")).hasSize(1);
        assertThat(complaints(PATCH, "one", "two", "four", "one", "two", "four"))
                .hasSize(1);
    }

    @Test
    void shouldComplainOfAPatchWithoutAChangeOrAFile() throws IOException {
        assertThat(complaints(List.of("S1"), "one")).containsExactly("S1.patch changes nothing");
        assertThat(complaints(List.of("--- a/m/A.java", "+++ b/m/A.java", "@@ -1 +1 @@", " one"), "one"))
                .hasSize(1);
        assertThat(complaints(List.of("--- a/m/B.java", "+++ b/m/B.java", "@@ -1 +1 @@", "-one", "+two"), "one"))
                .hasSize(1);
    }
}
