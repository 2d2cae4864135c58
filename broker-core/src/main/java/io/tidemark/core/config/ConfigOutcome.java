package io.tidemark.core.config;

import java.util.List;

/** What became of a text that should be a configuration. */
public sealed interface ConfigOutcome<T> {
    /** It is one. */
    record Valid<T>(T config) implements ConfigOutcome<T> {}

    /**
     * It is none.
     *
     * @param errors all that is wrong, a line each, in the order of the keys
     */
    record Invalid<T>(List<String> errors) implements ConfigOutcome<T> {
        public Invalid {
            errors = List.copyOf(errors);
        }

        /** All errors, one per line. */
        public String message() {
            return String.join(System.lineSeparator(), errors);
        }
    }
}
