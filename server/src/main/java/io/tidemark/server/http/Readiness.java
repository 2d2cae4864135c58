package io.tidemark.server.http;

import java.util.List;

/** Whether this broker is registered, recovered and told the whole state. Thread-safe; never blocks. */
@FunctionalInterface
public interface Readiness {
    /** Empty when ready; else all that is missing, for a person. */
    List<String> missing();
}
