package io.tidemark.sim;

import io.tidemark.core.io.FileHandle;
import io.tidemark.core.io.Files;
import io.tidemark.core.io.MappedFile;
import io.tidemark.core.io.SimDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;

/**
 * The files of one process, which may die in any call: before it is done, or half-way through what it appends. A process that is dead
 * does nothing more to its disk, also not while what it was doing is unwound.
 *
 * <p>Faults are for the process alone: who looks at its logs from outside, such as an invariant, reads what the disk holds and is not
 * counted.
 */
final class CrashingFiles implements Files {
    private final SimDisk disk;
    private final Files faulty;
    private final ProcessThreads process;
    private final Death death;

    /** When the process dies. */
    interface Death {
        /** Counts a call; true if the process dies in it. */
        boolean isDue();

        /** The process is dead, and its handles are void. */
        void strike();
    }

    /**
     * Files of a process.
     *
     * @param disk what is there
     * @param faulty the same with its faults, as the process meets it
     */
    CrashingFiles(SimDisk disk, Files faulty, ProcessThreads process, Death death) {
        this.disk = disk;
        this.faulty = faulty;
        this.process = process;
        this.death = death;
    }

    /** Counts the call; answers what to make it on. */
    private <T> T choose(T met, T direct) {
        if (!process.isInTask()) {
            return direct;
        }
        requireAlive();
        if (death.isDue()) {
            throw end();
        }
        return met;
    }

    private void requireAlive() {
        if (!process.isAlive()) {
            throw new ProcessEnd(process);
        }
    }

    private ProcessEnd end() {
        death.strike();
        return new ProcessEnd(process);
    }

    private Files files() {
        return choose(faulty, disk);
    }

    @Override
    public FileHandle openForRead(Path file) throws IOException {
        return new Handle(files().openForRead(file), disk.openForRead(file));
    }

    @Override
    public FileHandle openForAppend(Path file) throws IOException {
        return new Handle(files().openForAppend(file), disk.openForAppend(file));
    }

    @Override
    public MappedFile mapReadOnly(Path file) throws IOException {
        return files().mapReadOnly(file);
    }

    @Override
    public long size(Path file) throws IOException {
        return files().size(file);
    }

    @Override
    public boolean exists(Path path) {
        return disk.exists(path);
    }

    @Override
    public boolean isDirectory(Path path) {
        return disk.isDirectory(path);
    }

    @Override
    public List<String> list(Path directory) throws IOException {
        return files().list(directory);
    }

    @Override
    public void rename(Path from, Path to) throws IOException {
        files().rename(from, to);
    }

    @Override
    public void delete(Path path) throws IOException {
        files().delete(path);
    }

    @Override
    public void createDirectory(Path directory) throws IOException {
        files().createDirectory(directory);
    }

    @Override
    public void forceDirectory(Path directory) throws IOException {
        files().forceDirectory(directory);
    }

    @Override
    public long freeSpaceBytes(Path path) throws IOException {
        return files().freeSpaceBytes(path);
    }

    @Override
    public DirectoryLock lock(Path file) throws IOException {
        return files().lock(file);
    }

    private final class Handle implements FileHandle {
        private final FileHandle met;
        private final FileHandle direct;

        Handle(FileHandle met, FileHandle direct) {
            this.met = met;
            this.direct = direct;
        }

        private FileHandle handle() {
            return choose(met, direct);
        }

        @Override
        public void append(ByteBuffer... buffers) throws IOException {
            if (!process.isInTask()) {
                direct.append(buffers);
                return;
            }
            requireAlive();
            if (death.isDue()) {
                appendHalf(buffers);
                throw end();
            }
            met.append(buffers);
        }

        private void appendHalf(ByteBuffer[] buffers) throws IOException {
            long total = 0;
            for (ByteBuffer buffer : buffers) {
                total += buffer.remaining();
            }
            long left = total / 2;
            for (ByteBuffer buffer : buffers) {
                int count = (int) Math.min(left, buffer.remaining());
                direct.append(buffer.slice(buffer.position(), count));
                left -= count;
            }
        }

        @Override
        public int read(ByteBuffer target, long position) throws IOException {
            return handle().read(target, position);
        }

        @Override
        public long size() throws IOException {
            return handle().size();
        }

        @Override
        public void truncate(long sizeBytes) throws IOException {
            handle().truncate(sizeBytes);
        }

        @Override
        public void force() throws IOException {
            handle().force();
        }

        @Override
        public void close() throws IOException {
            direct.close();
            handle().close();
        }
    }
}
