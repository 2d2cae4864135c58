package io.tidemark.core.checkpoint;

import io.tidemark.core.io.Files;
import java.nio.file.Path;

/**
 * An empty file that says: everything in this log directory was forced and nothing was written since, so no log needs
 * to be checked. Written last on a clean stop and removed before any log is loaded, both durably.
 */
public final class CleanShutdownMarker {
    /** Name of the file in its log directory. */
    public static final String FILE_NAME = "clean-shutdown";

    private final AtomicFile file;

    public CleanShutdownMarker(Files files, Path logDirectory) {
        this.file = new AtomicFile(files, logDirectory, FILE_NAME);
    }

    public void write() {
        file.write(new byte[0]);
    }

    /**
     * Removes the marker; the directory counts as in use from now on.
     *
     * @return whether the last stop was a clean one
     */
    public boolean remove() {
        return file.delete();
    }
}
