package io.tidemark.history;

import java.util.Locale;
import java.util.Optional;

/** Where an operation stands. The difference between {@link #FAIL} and {@link #INFO} is what loss is judged by. */
public enum Phase {
    /** It begins. */
    INVOKE,
    /** It happened. */
    OK,
    /** It certainly did not happen, and never will. */
    FAIL,
    /** Nobody knows: it happened, or did not, or will. */
    INFO;

    /** As histories write it: {@code ok}. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    static Optional<Phase> labelled(String label) {
        for (Phase phase : values()) {
            if (phase.label().equals(label)) {
                return Optional.of(phase);
            }
        }
        return Optional.empty();
    }
}
