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
 * The files of one process, which may die in any call that changes the disk: before it is done, or half-way through what it appends. To
 * die in a call that only looks is to die in the next one that changes something; such calls are not counted, since they depend on
 * what is cached. A process that is dead does nothing more to its disk, also not while what it was doing is unwound.
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
        /** Counts a call that changes something; true if the process dies in it. */
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

    /** What to look through. */
    private <T> T looking(T met, T direct) {
        if (!process.isInTask()) {
            return direct;
        }
        requireAlive();
        return met;
    }

    /** Counts the call; answers what to make it on. */
    private <T> T changing(T met, T direct) {
        T chosen = looking(met, direct);
        if (process.isInTask() && death.isDue()) {
            throw end();
        }
        return chosen;
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

    private Files looking() {
        return looking(faulty, disk);
    }

    private Files changing() {
        return changing(faulty, disk);
    }

    @Override
    public FileHandle openForRead(Path file) throws IOException {
        return new Handle(looking().openForRead(file), disk.openForRead(file));
    }

    @Override
    public FileHandle openForAppend(Path file) throws IOException {
        return new Handle(changing().openForAppend(file), disk.openForAppend(file));
    }

    @Override
    public MappedFile mapReadOnly(Path file) throws IOException {
        return looking().mapReadOnly(file);
    }

    @Override
    public long size(Path file) throws IOException {
        return looking().size(file);
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
        return looking().list(directory);
    }

    @Override
    public void rename(Path from, Path to) throws IOException {
        changing().rename(from, to);
    }

    @Override
    public void delete(Path path) throws IOException {
        changing().delete(path);
    }

    @Override
    public void createDirectory(Path directory) throws IOException {
        changing().createDirectory(directory);
    }

    @Override
    public void forceDirectory(Path directory) throws IOException {
        changing().forceDirectory(directory);
    }

    @Override
    public long freeSpaceBytes(Path path) throws IOException {
        return looking().freeSpaceBytes(path);
    }

    @Override
    public DirectoryLock lock(Path file) throws IOException {
        return changing().lock(file);
    }

    private final class Handle implements FileHandle {
        private final FileHandle met;
        private final FileHandle direct;

        Handle(FileHandle met, FileHandle direct) {
            this.met = met;
            this.direct = direct;
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
            return looking(met, direct).read(target, position);
        }

        @Override
        public long size() throws IOException {
            return looking(met, direct).size();
        }

        @Override
        public void truncate(long sizeBytes) throws IOException {
            changing(met, direct).truncate(sizeBytes);
        }

        @Override
        public void force() throws IOException {
            changing(met, direct).force();
        }

        @Override
        public void close() throws IOException {
            direct.close();
            looking(met, direct).close();
        }
    }
}
