package io.tidemark.core.log.segment;

import io.tidemark.core.io.FileHandle;
import io.tidemark.core.runtime.KafkaStorageException;
import io.tidemark.record.RecordBatch;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds all that is damaged in one segment, with a look at each byte: for a start whose walk by headers leads nowhere. Bounded
 * memory; behind {@value #MAX_STRETCHES} bad places the rest of the segment is given up. Not thread-safe.
 *
 * <p>What is sound in itself but belongs elsewhere is no damage: a file that is stale or has another's name (S16), which only a
 * person can settle. Base offsets are not under the CRC, so a single batch may have a wrong one by accident; two that follow
 * each other have not, nor has one that continues what is in front of it.
 */
final class SegmentSurvey {
    static final int MAX_STRETCHES = 64;

    private static final BatchExpectation ANY = new BatchExpectation() {
        @Override
        public int epochAt(long lastOffset) {
            return UNKNOWN_EPOCH;
        }

        @Override
        public boolean isGapless() {
            return false;
        }
    };

    private final SegmentFiles files;
    private final FileHandle file;
    private final int sizeBytes;
    private final long upperOffset;

    /**
     * @param file of the segment's batches
     * @param upperOffset all offsets of the segment are below this
     */
    SegmentSurvey(SegmentFiles files, FileHandle file, int sizeBytes, long upperOffset) {
        this.files = files;
        this.file = file;
        this.sizeBytes = sizeBytes;
        long roomOffsets = Math.min(Integer.MAX_VALUE + 1L, Long.MAX_VALUE - files.base());
        this.upperOffset = Math.min(upperOffset, files.base() + roomOffsets);
    }

    /**
     * What is damaged, in order.
     *
     * @throws KafkaStorageException if the file holds what belongs elsewhere
     */
    List<BadStretch> run() throws IOException {
        List<BadStretch> found = new ArrayList<>();
        BadStretch bad = firstFrom(0, files.base() - 1);
        while (bad != null && found.size() < MAX_STRETCHES) {
            requireNoneOfOthers(bad);
            found.add(bad);
            bad = bad.behindPosition() >= sizeBytes ? null : firstFrom(bad.behindPosition(), bad.behindOffset() - 1);
        }
        if (bad != null) {
            found.add(new BadStretch(
                    bad.firstOffset(),
                    upperOffset,
                    bad.position(),
                    sizeBytes,
                    bad.what() + ", and too much is damaged to look for more"));
        }
        return List.copyOf(found);
    }

    private @Nullable BadStretch firstFrom(int position, long before) throws IOException {
        return new SegmentExaminer(
                        file,
                        new Examination(
                                position, before, Long.MAX_VALUE, Integer.MAX_VALUE, sizeBytes, upperOffset, ANY))
                .run()
                .bad();
    }

    private void requireNoneOfOthers(BadStretch bad) throws IOException {
        Resync anywhere = new Resync(file, sizeBytes, Long.MAX_VALUE);
        if (!anywhere.isSoundAt(bad.position(), -1)) {
            return;
        }
        RecordBatch batch = anywhere.sound();
        long base = batch.baseOffset();
        long next = batch.nextOffset();
        String what = batch.toString();
        boolean isOutside = base < files.base() || next > upperOffset;
        boolean continues = base == bad.firstOffset();
        int behind = bad.position() + batch.sizeBytes();
        boolean isContinued =
                anywhere.isSoundAt(behind, next - 1) && anywhere.sound().baseOffset() == next;
        if (isOutside && (continues || isContinued)) {
            throw new KafkaStorageException(
                    next > upperOffset
                            ? "segments overlap: " + files.log() + " holds " + what + ", but there is "
                                    + files.log()
                                            .resolveSibling(SegmentFiles.name(upperOffset, SegmentFiles.LOG_SUFFIX))
                                    + "; one of the two is stale: compare both with another replica and move the stale"
                                    + " one away"
                            : files.log() + " holds " + what + ", which belongs elsewhere");
        }
    }
}
