package io.tidemark.core.log.offline;

import io.tidemark.core.config.LogConfig;
import io.tidemark.core.io.FileBytes;
import io.tidemark.core.io.SimDisk;
import io.tidemark.core.log.Batches;
import io.tidemark.core.log.LoadProgress;
import io.tidemark.core.log.Log;
import io.tidemark.core.log.LogDirectories;
import io.tidemark.core.log.segment.SegmentFiles;
import io.tidemark.core.testkit.ManualClock;
import io.tidemark.core.testkit.ManualScheduler;
import io.tidemark.model.TopicId;
import io.tidemark.model.TopicPartition;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.zip.CRC32C;

/**
 * A cleanly stopped log directory with one partition: batches of one record and 100 bytes at offsets 0 to 5, two per segment;
 * epoch 0 up to offset 2, then epoch 4.
 */
final class OfflineRig implements LogVerifier.Listener {
    static final Path DATA = Path.of("/data");
    static final Path PARTITION = DATA.resolve("t-0");
    static final int BATCH_BYTES = 100;

    final SimDisk disk = new SimDisk();
    final List<Finding> findings = new ArrayList<>();
    long readBytes;

    OfflineRig() {
        LogConfig config = LogConfig.DEFAULTS.withIndex(0, 1 << 20).withSegmentBytes(2 * BATCH_BYTES);
        LogDirectories directories = LogDirectories.load(
                disk,
                new ManualScheduler(new ManualClock()),
                LogDirectories.Settings.of(List.of(DATA), config),
                Runnable::run,
                LoadProgress.SILENT);
        Log log = directories.open(new TopicPartition("t", 0), new TopicId(1, 2), config);
        for (int i = 0; i < 6; i++) {
            int epoch = i < 3 ? 0 : 4;
            log.becomeLeader(epoch);
            log.appendAsLeader(Batches.ofSize(BATCH_BYTES), epoch);
        }
        directories.closeCleanly();
    }

    static Path file(long base, String suffix) {
        return PARTITION.resolve(SegmentFiles.name(base, suffix));
    }

    @Override
    public void found(Finding finding) {
        findings.add(finding);
    }

    @Override
    public void read(long bytes) {
        readBytes += bytes;
    }

    Verification verify(Path path, LogVerifier.Depth depth) throws IOException {
        return new LogVerifier(disk, depth, this).verify(path);
    }

    Verification verify(Path path) throws IOException {
        return verify(path, LogVerifier.Depth.BATCHES);
    }

    byte[] content(Path file) throws IOException {
        return FileBytes.content(disk, file);
    }

    void write(Path file, byte[] content) throws IOException {
        FileBytes.write(disk, file, content);
    }

    void write(Path file, String content) throws IOException {
        write(file, content.getBytes(StandardCharsets.UTF_8));
    }

    void append(Path file, byte[] content) throws IOException {
        FileBytes.append(disk, file, content);
    }

    void flip(Path file, int position) throws IOException {
        FileBytes.flip(disk, file, position, 0xff);
    }

    /** Puts a byte into a batch of a log file and gives the batch a CRC that matches. */
    void forge(Path log, int batchPosition, int byteInBatch, int value) throws IOException {
        byte[] bytes = content(log);
        bytes[batchPosition + byteInBatch] = (byte) value;
        CRC32C crc = new CRC32C();
        crc.update(bytes, batchPosition + 21, BATCH_BYTES - 21);
        ByteBuffer.wrap(bytes).putInt(batchPosition + 17, (int) crc.getValue());
        write(log, bytes);
    }

    /** Sizes of all files below the log directory. */
    SortedMap<String, Long> sizes() throws IOException {
        SortedMap<String, Long> sizes = new TreeMap<>();
        addSizes(DATA, sizes);
        return sizes;
    }

    private void addSizes(Path directory, SortedMap<String, Long> sizes) throws IOException {
        for (String name : disk.list(directory)) {
            Path path = directory.resolve(name);
            if (disk.isDirectory(path)) {
                addSizes(path, sizes);
            } else {
                sizes.put(path.toString(), disk.size(path));
            }
        }
    }
}
