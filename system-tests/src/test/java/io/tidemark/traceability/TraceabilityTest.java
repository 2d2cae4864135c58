package io.tidemark.traceability;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each listed id has a test that names it and a change that breaks it, and the table says so. */
final class TraceabilityTest {
    // Put together, so that the scan of this very file finds no test in it.
    private static final String AT = "@";
    private static final List<String> SOURCE = List.of(
            "final class ATest {",
            "    // S9, of no test",
            "    private int field;",
            "",
            "    /**",
            "     * S1: a rule (KAFKA-12).",
            "     */",
            "    " + AT + "ParameterizedTest",
            "    " + AT + "ValueSource(",
            "            strings = {",
            "                \"S3\"",
            "            })",
            "    void shouldDoOneThing(String what) throws IOException {",
            "        // given: scenario 4, a/b#5",
            "        // Fails if: the midpoint is",
            "        // rounded up",
            "        int x = 1;",
            "",
            "        // then",
            "    }",
            "",
            "    " + AT + "Test",
            "    void shouldDoAnother() {",
            "        // Fails if: nothing is done",
            "        // given: S2",
            "    }",
            "}");

    @TempDir
    private Path directory;

    /** The root of the repository, from whatever directory of it the tests run in. */
    private static Path root() {
        Path here = Path.of("").toAbsolutePath();
        while (here != null && !Files.exists(here.resolve(Traceability.IDS))) {
            here = here.getParent();
        }
        assertThat(here).as("a directory above with " + Traceability.IDS).isNotNull();
        return here;
    }

    @Test
    void shouldAgreeWithTheTests() throws IOException {
        assertThat(new Traceability(root()).complaints()).isEmpty();
    }

    @Test
    void shouldHaveNoPatchThatDoesNotFitTheSources() throws IOException {
        assertThat(new PatchCheck(root()).complaints()).isEmpty();
    }

    @Test
    void shouldReadIdsAndChangesAtTestMethodsAlone() {
        // when
        List<Traceability.TestMethod> found = Traceability.scan("m", "ATest", SOURCE);

        // then
        assertThat(found).hasSize(2);
        assertThat(found.get(0).name()).isEqualTo("ATest#shouldDoOneThing");
        assertThat(found.get(0).ids()).containsExactlyInAnyOrder("S1", "KAFKA-12", "scenario 4", "a/b#5");
        assertThat(found.get(0).failsIf()).isEqualTo("the midpoint is rounded up");
        assertThat(found.get(1).ids()).containsExactly("S2");
        assertThat(found.get(1).failsIf()).isEqualTo("nothing is done");
    }

    @Test
    void shouldComplainOfWhatIsOwedAndOfWhatIsNotOwedAnyMore() throws IOException {
        // given: the second id is owed no more, the third is owed and not listed, the fourth has a patch and no test
        Files.createDirectories(directory.resolve("m/src/test/java"));
        Files.createDirectories(directory.resolve(Traceability.MUTATIONS));
        Files.write(directory.resolve("m/src/test/java/ATest.java"), SOURCE);
        Files.writeString(directory.resolve(Traceability.IDS), "# ids\nS1\nS2\nS7\nS8\n");
        Files.writeString(directory.resolve(Traceability.MISSING), "# No more than 1 lines\nS2\nS8\n");
        Files.writeString(directory.resolve(Traceability.MUTATIONS + "/S8.patch"), "");
        Files.writeString(directory.resolve(Traceability.TABLE), "");

        // when
        List<String> complaints = new Traceability(directory).complaints();

        // then
        assertThat(complaints).hasSize(5);
        assertThat(complaints.get(0)).startsWith("S7: no test");
        assertThat(complaints.get(1)).startsWith("S2: is not missing");
        assertThat(complaints.get(2)).contains("may only shrink");
        assertThat(complaints.get(3)).contains("S8.patch");
        assertThat(complaints.get(4)).contains(Traceability.COMMAND);
    }

    @Test
    void shouldNamePatchesAfterTheirIds() {
        assertThat(Traceability.fileName("scenario 4")).isEqualTo("scenario-4.patch");
        assertThat(Traceability.fileName("a-b/c#5")).isEqualTo("a-b-c-5.patch");
    }
}
