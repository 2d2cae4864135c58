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
}
