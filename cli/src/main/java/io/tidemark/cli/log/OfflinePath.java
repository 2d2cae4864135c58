package io.tidemark.cli.log;

import io.tidemark.cli.CommandFailure;
import io.tidemark.cli.ExitCode;
import io.tidemark.core.log.offline.LogFiles;
import io.tidemark.core.log.offline.OfflineTarget;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;

/** Refuses a path that is not of the kind a command looks into, before it is looked into. */
final class OfflinePath {
    private OfflinePath() {}

    /**
     * Checks that the path is of one of these kinds.
     *
     * @param expected the kinds in words
     * @throws CommandFailure if it is of another
     */
    static void require(Path path, Set<OfflineTarget.Kind> kinds, String expected) throws IOException {
        OfflineTarget.Kind kind = LogFiles.kindOf(path);
        if (!kinds.contains(kind)) {
            throw new CommandFailure(
                    ExitCode.USAGE,
                    "expected " + expected + ", not " + path,
                    "log directories are those that log.dirs names; they hold one directory per partition");
        }
    }
}
