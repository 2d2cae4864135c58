package io.tidemark.server.boot;

import io.tidemark.core.checkpoint.AtomicFile;
import io.tidemark.core.checkpoint.BrokerEpochFile;
import io.tidemark.core.checkpoint.CleanShutdownMarker;
import io.tidemark.core.checkpoint.MetaPropertiesFile;
import io.tidemark.core.checkpoint.OffsetCheckpointFile;
import io.tidemark.core.io.Files;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Whether a log directory that no {@code meta.properties} says anything about is a new one.
 *
 * <p>All of a broker's directories may be new, or none: one that is empty while others are in use is a disk that is not mounted
 * or was replaced, and starting on it would be to lose its replicas in silence. An operator who adds a directory says so by
 * an empty file {@value #PERMISSION} in it, which lies on the very disk that it is about and is gone as soon as it was
 * used. A directory that holds a broker's other files is never a new one.
 *
 * <p>The first start of a broker writes that file itself, so that one that is broken off can be done again.
 */
final class NewDirectories {
    /** Name of the file that allows a directory to be new. */
    static final String PERMISSION = "new-log-directory";

    private final Files files;

    NewDirectories(Files files) {
        this.files = files;
    }

    /** Makes directories for a broker that has none in use, unless they hold something of a broker. */
    void begin(List<Path> all) throws StartFailure {
        for (Path path : all) {
            refuseUsed(path);
        }
        for (Path path : all) {
            create(path);
            permission(path).write(new byte[0]);
        }
    }

    /** Refuses a directory that is neither in use nor allowed to be new, beside one that is in use. */
    void requirePermission(Path path, Path inUse) throws StartFailure {
        refuseUsed(path);
        Path permission = path.resolve(PERMISSION);
        if (!files.exists(permission)) {
            throw new StartFailure(
                    ExitStatus.CONFIGURATION,
                    "log directory " + path + " is refused: it is empty although " + inUse
                            + " is in use, so its disk is not mounted or has lost its content; to add it as a new"
                            + " directory create the file " + permission);
        }
    }

    /** The directory has its {@code meta.properties}: it is not new any more, durably. */
    void claimed(Path path) {
        permission(path).delete();
    }

    private void refuseUsed(Path path) throws StartFailure {
        for (String trace : traces()) {
            if (files.exists(path.resolve(trace))) {
                throw new StartFailure(
                        ExitStatus.CONFIGURATION,
                        "log directory " + path + " is refused: it holds " + trace + " but no "
                                + MetaPropertiesFile.FILE_NAME + ", so it was in use and cannot be told whose it is;"
                                + " restore that file, or move what the directory holds away and have it copied again");
            }
        }
    }

    private static List<String> traces() {
        List<String> names = new ArrayList<>(List.of(BrokerEpochFile.FILE_NAME, CleanShutdownMarker.FILE_NAME));
        Arrays.stream(OffsetCheckpointFile.Kind.values())
                .map(OffsetCheckpointFile.Kind::fileName)
                .forEach(names::add);
        return names;
    }

    private void create(Path path) throws StartFailure {
        try {
            files.createDurableDirectory(path);
        } catch (IOException e) {
            throw new StartFailure(
                    ExitStatus.CONFIGURATION,
                    "cannot create log directory " + path + ": " + e
                            + "; create it for the broker's user, or name another one in log.dirs");
        }
    }

    private AtomicFile permission(Path path) {
        return new AtomicFile(files, path, PERMISSION);
    }
}
