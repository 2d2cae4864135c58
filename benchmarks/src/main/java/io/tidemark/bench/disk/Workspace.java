package io.tidemark.bench.disk;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A directory of one run, that goes with all that is in it: when it is closed, and when the process is told to end. */
public final class Workspace implements AutoCloseable {
    private final Path path;
    private final Thread atExit;

    private Workspace(Path path) {
        this.path = path;
        this.atExit = new Thread(this::removeQuietly, "workspace-removal");
        Runtime.getRuntime().addShutdownHook(atExit);
    }

    /**
     * A new directory.
     *
     * @param directory where it is made; made too if it is missing, and stays
     * @param name what its own name begins with
     */
    public static Workspace below(Path directory, String name) throws IOException {
        Path parent = Files.createDirectories(directory).toRealPath();
        return new Workspace(Files.createTempDirectory(parent, name + "-"));
    }

    /** Where it is. */
    public Path path() {
        return path;
    }

    /** An empty directory in it; what an earlier one of that name held is removed. */
    public Path fresh(String name) throws IOException {
        Path child = path.resolve(name);
        remove(child);
        return Files.createDirectory(child);
    }

    /** Removes a directory and what is in it, if it is there; files may vanish meanwhile. */
    public static void remove(Path directory) throws IOException {
        List<Path> deepestFirst;
        try (Stream<Path> files = Files.walk(directory)) {
            deepestFirst = files.sorted(Comparator.reverseOrder()).toList();
        } catch (NoSuchFileException e) {
            return;
        } catch (UncheckedIOException e) {
            if (e.getCause() instanceof NoSuchFileException) {
                remove(directory);
                return;
            }
            throw e;
        }
        for (Path file : deepestFirst) {
            Files.deleteIfExists(file);
        }
    }

    /** Copies a directory with its files and directories to a place where nothing is yet. All of it is on the disk afterwards. */
    public static void copy(Path from, Path to) throws IOException {
        List<Path> all;
        try (Stream<Path> files = Files.walk(from)) {
            all = files.sorted().toList();
        }
        for (Path file : all) {
            Path target = to.resolve(from.relativize(file).toString());
            if (Files.isDirectory(file)) {
                Files.createDirectories(target);
            } else {
                Files.copy(file, target);
                force(target);
            }
        }
    }

    /** Bytes of the files in a directory and below. */
    public static long sizeBytes(Path directory) throws IOException {
        long sum = 0;
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                sum += Files.size(file);
            }
        }
        return sum;
    }

    @Override
    public void close() throws IOException {
        try {
            Runtime.getRuntime().removeShutdownHook(atExit);
        } catch (IllegalStateException alreadyEnding) {
            return;
        }
        remove(path);
    }

    private static void force(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.force(true);
        }
    }

    private void removeQuietly() {
        try {
            remove(path);
        } catch (IOException | UncheckedIOException e) {
            System.err.println("could not remove " + path + ": " + e);
        }
    }
}
