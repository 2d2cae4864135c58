package io.tidemark.core.log.offline;

import io.tidemark.core.io.DiskFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Opens files of this machine's disk, for tools that know nothing of the file port. */
public final class LogFiles {
    private LogFiles() {}

    /** A {@code .log} file; closed by the caller. */
    public static LogFileReader log(Path logFile) throws IOException {
        return LogFileReader.open(new DiskFiles(), logFile);
    }

    /** The entries of an {@code .index} file. */
    public static List<IndexEntry> index(Path indexFile) throws IOException {
        return IndexFile.read(new DiskFiles(), indexFile);
    }

    /** The entries of a {@code .timeindex} file. */
    public static List<TimeIndexEntry> timeIndex(Path timeIndexFile) throws IOException {
        return TimeIndexFile.read(new DiskFiles(), timeIndexFile);
    }

    /** What the path is; {@link java.nio.file.NoSuchFileException} if it is not there. */
    public static OfflineTarget.Kind kindOf(Path path) throws IOException {
        return OfflineTarget.kindOf(new DiskFiles(), path);
    }

    /** Checks files. */
    public static LogVerifier verifier(LogVerifier.Depth depth, LogVerifier.Listener listener) {
        return new LogVerifier(new DiskFiles(), depth, listener);
    }

    /** Looks for records. */
    public static LogFinder finder(LogVerifier.Listener listener) {
        return new LogFinder(new DiskFiles(), listener);
    }

    /** The epochs of a partition's directory, an epoch file or a {@code .log} file. */
    public static EpochReport epochs(Path path) throws IOException {
        return EpochReport.read(new DiskFiles(), path);
    }

    /** The small files of a log directory. */
    public static LogDirectoryReport directory(Path logDirectory) throws IOException {
        return LogDirectoryReport.read(new DiskFiles(), logDirectory);
    }
}
