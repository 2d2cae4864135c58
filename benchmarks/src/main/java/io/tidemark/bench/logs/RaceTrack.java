package io.tidemark.bench.logs;

import io.tidemark.bench.disk.Workspace;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/** The directory of a benchmark's process, and logs of a size in it. */
final class RaceTrack implements AutoCloseable {
    /** System property that names the directory below which everything is written. */
    static final String DIRECTORY = "tidemark.bench.dir";

    /** Segments that a log of the given size has; the active one holds hardly anything. */
    private static final int SEGMENTS = 4;

    private static final int MEBIBYTE = 1 << 20;

    private final Workspace workspace;

    private RaceTrack(Workspace workspace) {
        this.workspace = workspace;
    }

    static RaceTrack open() throws IOException {
        String directory = System.getProperty(DIRECTORY, System.getProperty("java.io.tmpdir"));
        return new RaceTrack(Workspace.below(Path.of(directory), "race"));
    }

    /** An empty log directory. */
    Path fresh(String name) throws IOException {
        return workspace.fresh(name);
    }

    /** The shape of a log of that size. */
    static LogShape shape(int mebibytes, LogShape.Policy policy) {
        return new LogShape(Math.multiplyExact(mebibytes, MEBIBYTE) / SEGMENTS, policy);
    }

    /** How many of the batches make up that size. */
    static int batches(int mebibytes, ByteBuffer batch) {
        long sizeBytes = (long) mebibytes * MEBIBYTE;
        return Math.toIntExact((sizeBytes + batch.remaining() - 1) / batch.remaining());
    }

    @Override
    public void close() throws IOException {
        workspace.close();
    }
}
