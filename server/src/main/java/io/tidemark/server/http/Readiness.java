package io.tidemark.server.http;

import java.util.Optional;

/** Whether this broker is registered, recovered and told the whole state. Thread-safe; never blocks. */
@FunctionalInterface
public interface Readiness {
    /** Empty when ready; else what is missing, for a person. */
    Optional<String> missing();
}
