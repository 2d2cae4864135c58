package io.tidemark.core.checkpoint;

import java.util.Optional;

/** Which boot of the operating system this is. */
@FunctionalInterface
public interface BootId {
    /** A text that changes with every boot of the machine; empty where the system offers none, then nothing is proven. */
    Optional<String> current();
}
