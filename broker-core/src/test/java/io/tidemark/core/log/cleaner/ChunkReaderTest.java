package io.tidemark.core.log.cleaner;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.config.LogConfig;
import io.tidemark.core.io.SimDisk;
import io.tidemark.core.log.Batches;
import io.tidemark.core.log.segment.ResourceCache;
import io.tidemark.core.log.segment.Segment;
import io.tidemark.core.log.segment.SegmentSpace;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class ChunkReaderTest {
    private static final Path DIRECTORY = Path.of("/log");
    private static final int BUFFER_BYTES = 512;

    private final SimDisk disk = new SimDisk();
    private final SegmentSpace space = new SegmentSpace(disk, DIRECTORY, new ResourceCache(2), new ResourceCache(2));

    @BeforeEach
    void createDirectory() throws IOException {
        disk.createDirectory(DIRECTORY);
    }

    private static void append(Segment segment, long offset, int count, int sizeBytes) throws IOException {
        for (int i = 0; i < count; i++) {
            ByteBuffer batch = Batches.at(offset + i, 0, Batches.ofSize(sizeBytes));
            segment.append(batch, LogConfig.DEFAULTS);
        }
    }

    // KAFKA-6834 (bug 16)
    // Fails if: ChunkReader.read leaves the buffer as large as the batch before made it.
    @Test
    void shouldGrowForOneLargeBatchAndShrinkBehindIt() throws IOException {
        // given: one batch of 100 KB among batches of 100 bytes
        Segment segment = Segment.create(space, 0, 0);
        append(segment, 0, 6, 100);
        append(segment, 6, 1, 100_000);
        append(segment, 7, 20, 100);
        int largeBytes = segment.sizeBytes() - 26 * 100;
        ChunkReader reader = new ChunkReader(List.of(segment), 27, BUFFER_BYTES);

        // when
        List<Integer> chunks = new ArrayList<>();
        while (reader.next() == ChunkReader.Outcome.BATCHES) {
            chunks.add(reader.chunkBytes());
        }

        // then
        assertThat(largeBytes).isGreaterThan(99_000);
        assertThat(chunks).containsExactly(500, 100, largeBytes, 500, 500, 500, 500);
    }

    // KAFKA-6834
    // Fails if: ChunkReader.next goes on with the position of the segment before.
    @Test
    void shouldReadSegmentAfterSegmentAndSayWhenOneHasGone() throws IOException {
        // given
        Segment first = Segment.create(space, 0, 0);
        append(first, 0, 2, 100);
        first.seal();
        Segment second = Segment.create(space, 2, first.sizeBytes());
        append(second, 2, 1, 100);
        ChunkReader reader = new ChunkReader(List.of(first, second), 3, BUFFER_BYTES);

        // when / then
        assertThat(reader.next()).isEqualTo(ChunkReader.Outcome.BATCHES);
        assertThat(reader.chunkBytes()).isEqualTo(200);
        assertThat(reader.next()).isEqualTo(ChunkReader.Outcome.BATCHES);
        assertThat(reader.chunkBytes()).isEqualTo(100);
        assertThat(reader.next()).isEqualTo(ChunkReader.Outcome.END);
        second.remove();
        ChunkReader late = new ChunkReader(List.of(second), 3, BUFFER_BYTES);
        assertThat(late.next()).isEqualTo(ChunkReader.Outcome.GONE);
    }
}
