package io.tidemark.core.log;

import static io.tidemark.core.log.LogRig.append;
import static io.tidemark.core.log.LogRig.ask;
import static io.tidemark.core.log.LogRig.copy;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.config.LogConfig;
import io.tidemark.core.io.FileHandle;
import io.tidemark.core.io.SimDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What is known of damage, and looked for, while segments are written anew, cut or shortened under it (DESIGN section 3). */
final class LogDamageRacesTest {
    private static final int BATCH_BYTES = 200;
    private static final LogConfig CONFIG =
            LogRig.CONFIG.withSegmentBytes(10 * BATCH_BYTES).withIndex(2 * BATCH_BYTES, 1 << 20);
    private static final Path FIRST_SEGMENT =
            LogRig.DIRECTORY.resolve(LogRig.PARTITION.toString()).resolve("00000000000000000000.log");

    private final SimDisk disk = new SimDisk();

    private static SegmentedLog filled(LogRig rig, int batches) {
        SegmentedLog log = rig.leader();
        for (int i = 0; i < batches; i++) {
            append(log, 0, Batches.ofSize(BATCH_BYTES));
        }
        return log;
    }

    private void cut(Path file, int sizeBytes) throws IOException {
        try (FileHandle handle = disk.openForAppend(file)) {
            handle.truncate(sizeBytes);
        }
    }

    private void flip(Path file, int position) throws IOException {
        try (FileHandle handle = disk.openForAppend(file)) {
            ByteBuffer content = ByteBuffer.allocate((int) handle.size());
            handle.read(content, 0);
            content.put(position, (byte) (content.get(position) ^ 4));
            handle.truncate(0);
            handle.append(content.flip());
        }
    }

    /** Scrubs from there to the end; answers the damages that were found. */
    private static List<LogDamage> scrubOn(Log log, Optional<ScrubPoint> from, int sliceBytes) {
        List<LogDamage> found = new ArrayList<>();
        Optional<ScrubPoint> at = from;
        while (at.isPresent()) {
            Scrubbed scrubbed = log.scrub(at.get(), sliceBytes);
            scrubbed.found().ifPresent(found::add);
            at = scrubbed.next();
        }
        return found;
    }

    // DESIGN 3, S17: the scrubber is in the middle of a segment when the cleaner puts another in its place
    // Fails if: LogScrub.isStillRight does not compare the segments
    @Test
    void shouldFindNothingWrongWithASegmentThatWasCleanedUnderTheScrubber() {
        // given: every other record goes, so nothing starts where it did
        CleanerRig rig = new CleanerRig(new LogRig(CleanerRig.compacted(1_000), disk));
        Log log = rig.logs.leader();
        for (int i = 0; i < 40; i++) {
            CleanerRig.write(log, i % 2 == 0 ? "again=" + "v".repeat(i) : "k" + i + "=" + i);
        }
        Scrubbed first = log.scrub(ScrubPoint.FRONT, 300);
        assertThat(first.next()).get().extracting(ScrubPoint::position).isNotEqualTo(0);

        // when
        rig.tick();
        rig.tick();

        // then
        assertThat(rig.cleaner.passes()).isPositive();
        assertThat(scrubOn(log, first.next(), 300)).isEmpty();
        assertThat(log.damage()).isEmpty();
        assertThat(CleanerRig.replay(log)).hasSize(21);
    }

    // DESIGN 3, S10: the same when it was cut and filled again
    // Fails if: LogScrub.isStillRight does not compare the truncations
    @Test
    void shouldFindNothingWrongWithASegmentThatWasFilledAgainUnderTheScrubber() {
        // given
        SegmentedLog log = filled(new LogRig(CONFIG, disk), 25);
        Scrubbed first = log.scrub(ScrubPoint.FRONT, 3 * BATCH_BYTES);
        assertThat(first.next()).get().extracting(ScrubPoint::position).isEqualTo(3 * BATCH_BYTES);

        // when: nothing starts at that position any more
        log.truncateTo(1);
        for (int i = 0; i < 25; i++) {
            append(log, 0, Batches.ofSize(BATCH_BYTES + 77));
        }

        // then
        assertThat(scrubOn(log, first.next(), 3 * BATCH_BYTES)).isEmpty();
        assertThat(log.damage()).isEmpty();
    }

    // S5, DESIGN 3: the end of a sealed file is missing; what is left of it and what is behind it is readable
    // Fails if: SegmentExaminer takes the published size for that of the file
    @Test
    void shouldReadAroundWhatIsMissingAtTheEndOfAFile() throws Exception {
        // given
        SegmentedLog log = filled(new LogRig(CONFIG, disk), 25);

        // when
        cut(FIRST_SEGMENT, 5 * BATCH_BYTES + 50);

        // then
        for (long offset = 0; offset < 25; offset++) {
            ReadResult result = ask(log, offset);
            if (offset >= 5 && offset < 10) {
                assertThat(result).as("read at %d", offset).isInstanceOf(ReadResult.Corrupt.class);
                LogDamage damage = ((ReadResult.Corrupt) result).damage();
                assertThat(damage.firstBadOffset()).isEqualTo(5);
                assertThat(damage.behindOffset()).isEqualTo(10);
            } else {
                assertThat(result).as("read at %d", offset).isInstanceOf(ReadResult.Data.class);
                assertThat(Batches.outline(((ReadResult.Data) result).batches()))
                        .startsWith(offset + "-" + offset + "@0");
            }
        }
        assertThat(log.positionOf(7)).isEqualTo(5 * BATCH_BYTES);
        assertThat(log.truncateTo(5).offset()).isEqualTo(5);
    }

    // S5, DESIGN 3: also where the file ends between two batches, and the scrubber gets past it
    // Fails if: SegmentExaminer.run takes a file that ends without a torn batch for whole
    @Test
    void shouldScrubPastAFileThatIsTooShort() throws Exception {
        // given
        SegmentedLog log = filled(new LogRig(CONFIG, disk), 25);
        cut(FIRST_SEGMENT, 5 * BATCH_BYTES);
        flip(FIRST_SEGMENT.resolveSibling("00000000000000000010.log"), 2 * BATCH_BYTES + 150);

        // when
        List<LogDamage> found = scrubOn(log, Optional.of(ScrubPoint.FRONT), 3 * BATCH_BYTES);

        // then
        assertThat(found).extracting(LogDamage::firstBadOffset).containsExactly(5L, 12L);
    }

    // DESIGN 3, S66: a cut at a damage that reaches below the start of the log leaves nothing of it
    // Fails if: LogHealth.truncatedAt keeps what begins below the end of the log
    @Test
    void shouldForgetADamageThatWasCutOffBelowTheStart() throws Exception {
        // given: offsets 3 to 5 are one batch, which is damaged, and the log starts inside it
        LogRig rig = new LogRig(CONFIG, disk);
        SegmentedLog log = filled(rig, 3);
        append(log, 0, Batches.of("a", "b", "c"));
        for (int i = 0; i < 20; i++) {
            append(log, 0, Batches.ofSize(BATCH_BYTES));
        }
        flip(FIRST_SEGMENT, 3 * BATCH_BYTES + 80);
        assertThat(ask(log, 3)).isInstanceOf(ReadResult.Corrupt.class);
        log.committedBound(20);
        log.advanceStartOffset(4);

        // when
        log.truncateTo(4);
        log.becomeFollower(1);
        copy(log, 1, Batches.at(5, 1, Batches.ofSize(BATCH_BYTES)));

        // then
        assertThat(log.damage()).isEmpty();
        assertThat(ask(log, 5)).isInstanceOf(ReadResult.Data.class);
    }
}
