package io.tidemark.core.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.log.PlantedFaults.Fault;
import io.tidemark.core.log.segment.OffsetIndexModel;
import io.tidemark.core.log.segment.TimeIndexModel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A test of the tests: the models find mistakes by one, in index look-ups, in truncation, and in the cleaner's range. */
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

    /** Finds with the model of a time index. */
    public static final class TimeIndexFinder implements Supplier<String> {
        @Override
        public String get() {
            return message(new ModelRun("time index", 40, TimeIndexModel::new), 200);
        }
    }

    /** Finds with the model of a compacted log. */
    public static final class CleanerFinder implements Supplier<String> {
        @Override
        public String get() {
            return message(CompactedLogModelTest.model(), 200);
        }
    }

    private static String message(ModelRun run, int cases) {
        return run.find(1, cases).map(AssertionError::getMessage).orElse("");
    }

    private static List<Fault> faults() {
        List<Fault> all = new ArrayList<>(faultsOfIndexes());
        all.addAll(faultsOfReadsAndCuts());
        all.addAll(faultsOfTheCleaner());
        return all;
    }

    private static List<Fault> faultsOfIndexes() {
        return List.of(
                fault(
                        "segment.IndexEntries",
                        "if (key.of(this, middle) <= target) {",
                        "if (key.of(this, middle) < target) {",
                        IndexFinder.class),
                fault(
                        "segment.IndexEntries",
                        "if (key.of(this, middle) <= target) {",
                        "if (key.of(this, middle) < target) {",
                        TimeIndexFinder.class),
                fault(
                        "segment.OffsetIndex",
                        "floorSlot(BY_OFFSET, offset - base - 1)",
                        "floorSlot(BY_OFFSET, offset - base)",
                        IndexFinder.class),
                fault(
                        "segment.TimeIndex",
                        "floorSlot(BY_OFFSET, offset - base - 1)",
                        "floorSlot(BY_OFFSET, offset - base)",
                        TimeIndexFinder.class),
                fault(
                        "segment.TimeIndex",
                        "floorSlot(BY_TIME, timestampMs - 1)",
                        "floorSlot(BY_TIME, timestampMs)",
                        TimeIndexFinder.class));
    }

    private static List<Fault> faultsOfReadsAndCuts() {
        return List.of(
                fault(
                        "segment.TimeWalk",
                        "record.timestampMs() >= request.timestampMs()",
                        "record.timestampMs() > request.timestampMs()",
                        LogFinder.class),
                fault(
                        "segment.SegmentReader",
                        "if (batch.lastOffset() >= request.offset()) {\n                return index;",
                        "if (batch.lastOffset() > request.offset()) {\n                return index;",
                        LogFinder.class),
                fault(
                        "LogTruncator",
                        "if (offset >= view.end().offset()) {",
                        "if (offset >= view.end().offset() - 1) {",
                        LogFinder.class),
                fault("LogTruncator", "Math.min(base, offset)", "Math.min(base + 1, offset)", LogFinder.class));
    }

    private static List<Fault> faultsOfTheCleaner() {
        return List.of(
                fault(
                        "cleaner.BatchFilter",
                        "record.offset() < map.get(key)",
                        "record.offset() <= map.get(key)",
                        CleanerFinder.class),
                fault(
                        "cleaner.CleanerPlanner",
                        "endOffset > log.committedBound()",
                        "endOffset > log.committedBound() + 1",
                        CleanerFinder.class),
                fault(
                        "cleaner.CleanerPlanner",
                        "segments.get(i).base() < to",
                        "segments.get(i).base() <= to",
                        CleanerFinder.class),
                fault("cleaner.DirtyMapper", "offset >= firstDirty", "offset > firstDirty", CleanerFinder.class),
                fault(
                        "cleaner.CleaningPass",
                        "Math.max(endOffset, made.firstDirty())",
                        "Math.max(endOffset + 1, made.firstDirty())",
                        CleanerFinder.class));
    }

    private static Fault fault(String className, String right, String wrong, Class<? extends Supplier<String>> finder) {
        return new Fault("io.tidemark.core.log." + className, right, wrong, finder);
    }

    // S9, S10, S11, S69. Fails if: a model no longer looks where the mistake is.
    @ParameterizedTest
    @MethodSource("faults")
    void shouldBeFoundByTheModel(Fault fault) throws Exception {
        assertThat(PlantedFaults.isUpToDate(fault)).as("%s occurs once", fault).isTrue();

        String found = new PlantedFaults(directory).find(fault);

        assertThat(found).contains("fails at step", "./test --long log --seed ");
    }
}
