package io.tidemark.core.log.segment;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.config.LogConfig;
import io.tidemark.core.io.FaultFiles;
import io.tidemark.core.io.FaultPlan;
import io.tidemark.core.io.FaultRule;
import io.tidemark.core.io.FileOperation;
import io.tidemark.core.io.SimDisk;
import io.tidemark.core.log.Batches;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A log is closed while a force of it is under way. */
final class SegmentReleaseTest {
    private static final Path DIRECTORY = Path.of("/log");

    // Scenario 48: the log was deleted, and its directory's name may be another log's by now, which must not get files
    // of it
    // Fails if: Segment.release does not say that the segment is gone
    @Test
    void shouldOpenNoFileForAForceOnceItIsReleased() throws Exception {
        // given: two sealed segments share the place for one open file, so a force has to open the first
        List<Segment> segments = new ArrayList<>();
        FaultPlan plan = new FaultPlan();
        SimDisk disk = new SimDisk();
        FaultFiles files = new FaultFiles(disk, plan, delay -> segments.get(0).release());
        SegmentSpace space = new SegmentSpace(files, DIRECTORY, new ResourceCache(1), new ResourceCache(1));
        disk.createDirectory(DIRECTORY);
        for (long base : new long[] {0, 1}) {
            Segment segment = Segment.create(space, base, 0);
            segment.append(Batches.at(base, 0, Batches.ofCount(1)), LogConfig.DEFAULTS);
            segment.seal();
            segments.add(segment);
        }

        // when: it is released between the moment when a force has come in and that when it opens what it writes
        // through
        plan.add(FaultRule.failing(FileOperation.OPEN_FOR_READ, "00000000000000000000.log")
                .times(1)
                .slowing(Duration.ofMillis(1)));
        plan.add(FaultRule.failing(FileOperation.OPEN_FOR_APPEND, "00000000000000000000.*"));
        segments.get(0).force();

        // then
        assertThat(plan.hits()).noneMatch(hit -> hit.startsWith("open-for-append"));
    }
}
