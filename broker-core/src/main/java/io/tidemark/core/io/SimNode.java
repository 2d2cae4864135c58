package io.tidemark.core.io;

import io.tidemark.runtime.Randomness;

/** A file or directory of a {@link SimDisk}. Guarded by the disk. */
sealed interface SimNode permits SimFile, SimDirectory {
    /** Replaces what is there by what a power loss may have left of it. */
    void losePower(Randomness randomness);

    /** Bytes of content in it and below it. */
    long usedBytes();
}
