package io.tidemark.core.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.log.PlantedFaults.Fault;
import io.tidemark.core.log.segment.OffsetIndexModel;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A test of the tests: the models find mistakes by one. The cleaner's joins as one more line of {@link #faults}. */
final class PlantedFaultsTest {
    @TempDir
    private Path directory;

    /** Finds with the model of an offset index. */
    public static final class IndexFinder implements Supplier<String> {
        @Override
        public String get() {
            return message(new ModelRun("index", 40, OffsetIndexModel::new), 200);
        }
    }

    /** Finds with the model of a log. */
    public static final class LogFinder implements Supplier<String> {
        @Override
        public String get() {
            return message(LogModelTest.model(), 200);
        }
    }

    private static String message(ModelRun run, int cases) {
        return run.find(1, cases).map(AssertionError::getMessage).orElse("");
    }

    private static List<Fault> faults() {
        return List.of(
                new Fault(
                        "io.tidemark.core.log.segment.IndexEntries",
                        "relativeOffset(entries.at(middle)) <= relativeOffset",
                        "relativeOffset(entries.at(middle)) < relativeOffset",
                        IndexFinder.class),
                new Fault(
                        "io.tidemark.core.log.segment.OffsetIndex",
                        "long relative = offset - base - 1;",
                        "long relative = offset - base;",
                        IndexFinder.class),
                new Fault(
                        "io.tidemark.core.log.segment.SegmentReader",
                        "if (batch.lastOffset() >= request.offset()) {",
                        "if (batch.lastOffset() > request.offset()) {",
                        LogFinder.class),
                new Fault(
                        "io.tidemark.core.log.LogTruncator",
                        "if (offset >= view.end().offset()) {",
                        "if (offset >= view.end().offset() - 1) {",
                        LogFinder.class),
                new Fault(
                        "io.tidemark.core.log.LogTruncator",
                        "Math.min(base, offset)",
                        "Math.min(base + 1, offset)",
                        LogFinder.class));
    }

    // S9, S10, S11. Fails if: a model no longer looks where the mistake is.
    @ParameterizedTest
    @MethodSource("faults")
    void shouldBeFoundByTheModel(Fault fault) throws Exception {
        assertThat(PlantedFaults.isUpToDate(fault)).as("%s occurs once", fault).isTrue();

        String found = new PlantedFaults(directory).find(fault);

        assertThat(found).contains("fails at step", "./test --long log --seed ");
    }
}
