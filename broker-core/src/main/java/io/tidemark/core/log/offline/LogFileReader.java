package io.tidemark.core.log.offline;

import io.tidemark.core.io.FileHandle;
import io.tidemark.core.io.Files;
import io.tidemark.core.log.segment.BatchScan;
import io.tidemark.record.InvalidBatchException;
import io.tidemark.record.LogRecord;
import io.tidemark.record.ProducerStamp;
import io.tidemark.record.RecordBatch;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Reads a {@code .log} file batch by batch, in memory of a bounded size; also the file of a running broker, of which it then sees
 * what was there when it was opened, the last batch perhaps torn. Not thread-safe.
 */
public final class LogFileReader implements Closeable {
    private static final int CODEC_MASK = 0x07;

    private final FileHandle file;
    private final int sizeBytes;
    private final BatchScan scan;

    private LogFileReader(FileHandle file, int sizeBytes) {
        this.file = file;
        this.sizeBytes = sizeBytes;
        this.scan = new BatchScan(file, 0, sizeBytes, BatchScan.WINDOW_BYTES);
    }

    /** Opens the file; closed by the caller. */
    public static LogFileReader open(Files io, Path logFile) throws IOException {
        FileHandle file = io.openForRead(logFile);
        return new LogFileReader(file, (int) Math.min(file.size(), Integer.MAX_VALUE));
    }

    /** The next batch; empty at the end of the file, or of what makes sense of it: then {@link #fault()} is present. */
    public Optional<StoredBatch> next() throws IOException {
        if (!scan.next()) {
            return Optional.empty();
        }
        RecordBatch header = scan.header();
        ProducerStamp producer = stampOf(header);
        return Optional.of(new StoredBatch(
                scan.position(),
                header.sizeBytes(),
                header.baseOffset(),
                header.lastOffset(),
                header.recordCount(),
                header.partitionLeaderEpoch(),
                header.maxTimestampMs(),
                header.attributes() & CODEC_MASK,
                producer,
                header.crc(),
                scan.isCrcValid()));
    }

    /** Why reading ended before the end of the file, and where. */
    public Optional<String> fault() {
        return Optional.ofNullable(scan.fault())
                .map(fault -> fault + " at position " + scan.end() + " of " + sizeBytes + " bytes");
    }

    /** Behind the last batch that made sense, in bytes. */
    public int end() {
        return scan.end();
    }

    /** Bytes of the file when it was opened; 2^31-1 at most, as a segment has. */
    public int sizeBytes() {
        return sizeBytes;
    }

    /**
     * The records of a batch of this file.
     *
     * @throws InvalidBatchException if they do not decode
     */
    public List<LogRecord> records(StoredBatch batch) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(Math.min(batch.sizeBytes(), sizeBytes - batch.position()));
        file.read(bytes, batch.position());
        List<LogRecord> records = new ArrayList<>();
        RecordBatch.at(bytes.flip(), 0).records().forEach(records::add);
        return records;
    }

    @Override
    public void close() throws IOException {
        file.close();
    }

    private static ProducerStamp stampOf(RecordBatch header) {
        try {
            return new ProducerStamp(header.producerId(), header.producerEpoch(), header.baseSequence());
        } catch (IllegalArgumentException e) {
            return ProducerStamp.NONE;
        }
    }
}
