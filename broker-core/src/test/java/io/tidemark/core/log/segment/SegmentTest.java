package io.tidemark.core.log.segment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.core.config.LogConfig;
import io.tidemark.core.io.FaultFiles;
import io.tidemark.core.io.FaultPlan;
import io.tidemark.core.io.FaultRule;
import io.tidemark.core.io.FileOperation;
import io.tidemark.core.io.SimDisk;
import io.tidemark.core.log.Batches;
import io.tidemark.core.runtime.KafkaStorageException;
import io.tidemark.record.InvalidBatchException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class SegmentTest {
    private static final Path DIRECTORY = Path.of("/log");
    private static final LogConfig CONFIG = LogConfig.DEFAULTS.withIndex(1, 1 << 20);

    private final SimDisk disk = new SimDisk();
    private final SegmentSpace space = new SegmentSpace(disk, DIRECTORY, new ResourceCache(2), new ResourceCache(2));

    @BeforeEach
    void createDirectory() throws IOException {
        disk.createDirectory(DIRECTORY);
    }

    private static ByteBuffer batch(long offset) {
        return Batches.at(offset, 0, Batches.ofCount(1));
    }

    private static List<String> read(Segment segment, long offset) throws IOException {
        SegmentRequest request =
                new SegmentRequest(offset, Long.MAX_VALUE, segment.sizeBytes(), 1 << 20, Integer.MAX_VALUE);
        return Batches.outline(segment.read(request).batches());
    }

    private static int position(Segment segment, long offset) throws IOException {
        return segment.read(SegmentRequest.locating(offset, segment.sizeBytes()))
                .position();
    }

    @Test
    void shouldKeepExactlyOneRecordThroughThirtyTruncations() throws IOException {
        // given: KAFKA-588
        // Fails if: Segment.truncateTo leaves the bytes in the file
        Segment segment = Segment.create(space, 40, 0);
        long offset = 40;

        // when / then
        for (int round = 0; round < 30; round++) {
            segment.append(batch(offset), CONFIG);
            segment.append(batch(offset + 1), CONFIG);
            segment.truncateTo(offset + 1, position(segment, offset + 1));
            assertThat(read(segment, offset)).containsExactly(offset + "-" + offset + "@0");
            offset++;
        }
    }

    @Test
    void shouldAnswerTheFirstBatchThatReachesTheOffset() throws IOException {
        // given: S9
        // Fails if: SegmentReader passes a batch that ends with the offset
        Segment segment = Segment.create(space, 0, 0);
        segment.append(Batches.at(5, 0, Batches.ofCount(3)), CONFIG);
        segment.append(Batches.at(20, 0, Batches.ofCount(3)), CONFIG);
        int second = position(segment, 20);

        // when / then
        assertThat(position(segment, 0)).isZero();
        assertThat(position(segment, 7)).isZero();
        assertThat(position(segment, 8)).isEqualTo(second).isPositive();
        assertThat(position(segment, 22)).isEqualTo(second);
        assertThat(position(segment, 23)).isEqualTo(SegmentRead.NOT_HERE);
        assertThat(read(segment, 10)).containsExactly("20-22@0");
    }

    @Test
    void shouldReadOutsideItsOffsetsAndWithTooSmallALimit() throws IOException {
        // given: scenario 2
        // Fails if: SegmentReader gives a first batch only if it is within the limit
        Segment segment = Segment.create(space, 100, 0);
        assertThat(position(segment, 100)).as("empty").isEqualTo(SegmentRead.NOT_HERE);
        segment.append(batch(110), CONFIG);
        segment.append(batch(111), CONFIG);

        // when / then
        assertThat(read(segment, 0)).as("before the base").containsExactly("110-110@0", "111-111@0");
        assertThat(read(segment, 105)).as("before the first").containsExactly("110-110@0", "111-111@0");
        assertThat(position(segment, 112)).as("behind the last").isEqualTo(SegmentRead.NOT_HERE);
        SegmentRead tiny =
                segment.read(new SegmentRequest(110, Long.MAX_VALUE, segment.sizeBytes(), 1, Integer.MAX_VALUE));
        assertThat(Batches.outline(tiny.batches())).as("whole").containsExactly("110-110@0");
        SegmentRead none = segment.read(new SegmentRequest(110, Long.MAX_VALUE, segment.sizeBytes(), 1, 0));
        assertThat(none.batches().hasRemaining()).as("not asked for").isFalse();
        assertThat(none.position()).isZero();
    }

    @Test
    void shouldReadFromBehindALargeBatchWithoutCopyingIt() throws IOException {
        // given: one entry in front of a batch of a megabyte
        Segment segment = Segment.create(space, 0, 0);
        segment.append(batch(0), CONFIG);
        segment.append(Batches.at(1, 0, Batches.ofSize(1 << 20)), CONFIG);
        segment.append(batch(2), CONFIG);

        // when
        SegmentRead found = segment.read(new SegmentRequest(2, Long.MAX_VALUE, segment.sizeBytes(), 1_000, 1_000));

        // then
        assertThat(Batches.outline(found.batches())).containsExactly("2-2@0");
        assertThat(found.batches().capacity()).isLessThan(70_000);
    }

    @Test
    void shouldSizeNoBufferByWhatAHeaderClaims() throws IOException {
        // given: KAFKA-6834, a batch that says it has a gigabyte
        // Fails if: SegmentReader does not compare a batch's size with the bytes that are there
        Segment segment = Segment.create(space, 0, 0);
        segment.append(batch(0), CONFIG);
        ByteBuffer liar = batch(1);
        liar.putInt(8, 1 << 30);
        int sizeBytes = segment.sizeBytes() + liar.remaining();
        try (var handle = disk.openForAppend(segment.files().log())) {
            handle.append(liar);
        }

        // when / then
        assertThatThrownBy(() -> segment.read(new SegmentRequest(1, Long.MAX_VALUE, sizeBytes, 100, Integer.MAX_VALUE)))
                .isInstanceOf(InvalidBatchException.class);
    }

    @Test
    void shouldNotOverwriteASegmentThatHasContent() throws IOException {
        // given: KAFKA-6388
        // Fails if: Segment.create does not look at the file that is there
        Segment segment = Segment.create(space, 0, 0);
        segment.append(batch(0), CONFIG);
        segment.seal();

        // when / then
        assertThatThrownBy(() -> Segment.create(space, 0, 0))
                .isInstanceOf(KafkaStorageException.class)
                .hasMessageContaining("00000000000000000000.log");
        assertThat(read(segment, 0)).containsExactly("0-0@0");
    }

    @Test
    void shouldLetReadersInsideFinishAndTellOthersThatItIsGone() throws IOException {
        // given: S44
        // Fails if: OnDemand.letGo closes the resource though readers are inside
        Segment segment = Segment.create(space, 0, 0);
        segment.append(batch(0), CONFIG);
        segment.append(batch(1), CONFIG);
        segment.seal();

        // when
        List<Path> renamed = segment.scan(0, scan -> {
            List<Path> files = segment.remove();
            assertThat(scan.next()).isTrue();
            assertThat(scan.isCrcValid()).isTrue();
            assertThat(scan.next()).isTrue();
            return files;
        });

        // then
        assertThat(renamed)
                .extracting(path -> path.getFileName().toString())
                .containsExactly(
                        "00000000000000000000.log.deleted",
                        "00000000000000000000.index.deleted",
                        "00000000000000000000.timeindex.deleted");
        assertThat(segment.read(SegmentRequest.locating(0, 10))).isNull();
        segment.force();
        assertThat(disk.list(DIRECTORY)).hasSize(3).allMatch(name -> name.endsWith(".deleted"));
    }

    // S44
    // Fails if: Segment.remove closes what a reader is reading from
    @Test
    void shouldReadAMegabyteWhileItsSegmentIsDeleted() throws IOException {
        // given: renamed and unlinked between the look-up and the bytes
        FaultPlan plan = new FaultPlan();
        List<Path> renamed = new ArrayList<>();
        Segment[] victim = new Segment[1];
        FaultFiles slow = new FaultFiles(disk, plan, delay -> {
            if (renamed.isEmpty()) {
                renamed.addAll(victim[0].remove());
                renamed.forEach(this::unlink);
            }
        });
        Segment segment =
                Segment.create(new SegmentSpace(slow, DIRECTORY, new ResourceCache(2), new ResourceCache(2)), 0, 0);
        segment.append(Batches.at(0, 0, Batches.ofSize(1 << 20)), CONFIG);
        segment.seal();
        victim[0] = segment;
        plan.add(FaultRule.failing(FileOperation.READ, "*.log").slowing(Duration.ofSeconds(1)));

        // when
        List<String> found = read(segment, 0);

        // then
        assertThat(found).containsExactly("0-0@0");
        assertThat(renamed).hasSize(3);
        assertThat(disk.list(DIRECTORY)).isEmpty();
    }

    private void unlink(Path file) {
        try {
            disk.delete(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void shouldBeTheSameAfterSealingAndActivating() throws IOException {
        // given
        Segment segment = Segment.create(space, 0, 0);
        for (int i = 0; i < 10; i++) {
            segment.append(batch(i), CONFIG);
        }
        int entries = segment.indexEntries();

        // when
        segment.seal();
        read(segment, 5);
        segment.activate();
        segment.append(batch(10), CONFIG);

        // then
        assertThat(segment.indexEntries()).isEqualTo(entries + 1);
        for (int i = 0; i <= 10; i++) {
            assertThat(read(segment, i)).startsWith(i + "-" + i + "@0").hasSize(11 - i);
        }
    }

    @Test
    void shouldCountPositionsBeyondTwoGigabytes() throws IOException {
        // given: S35
        // Fails if: a segment's start position is an int
        long before = 5L << 30;
        Segment segment = Segment.create(space, 100, before);
        segment.append(batch(100), CONFIG);
        segment.seal();
        Segment next = Segment.create(space, 101, segment.startPosition() + segment.sizeBytes());

        // when
        Segments segments = Segments.of(List.of(segment)).withActive(next);

        // then
        assertThat(next.startPosition()).isEqualTo(before + segment.sizeBytes());
        assertThat(segments.active()).isSameAs(next);
        assertThat(segments.floor(100)).isSameAs(segment);
        assertThat(segments.floor(99)).isNull();
        assertThat(segments.floor(Long.MAX_VALUE)).isSameAs(next);
        assertThat(segments.after(100)).isSameAs(next);
        assertThat(segments.before(101)).isSameAs(segment);
        assertThat(segments.from(101)).containsExactly(next);
        assertThat(segments.upTo(100).active()).isSameAs(segment);
    }
}
