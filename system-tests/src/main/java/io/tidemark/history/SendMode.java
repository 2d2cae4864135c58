package io.tidemark.history;

import java.util.Locale;
import java.util.Optional;

/**
 * What a producer was promised: it decides which anomalies break a promise and which are the noise that was chosen
 * (REQUIREMENTS section 3, I13).
 *
 * @param acks whose copies an acknowledgement stands for
 * @param idempotence whether retries are recognised
 */
public record SendMode(Acks acks, Idempotence idempotence) {
    /** The strongest promise, and what is assumed where a history says nothing. */
    public static final SendMode STRICT = new SendMode(Acks.ALL, Idempotence.ON);

    /** Whose copies an acknowledgement stands for. */
    public enum Acks {
        /** Nobody's: what was sent counts as done. */
        NONE,
        /** The leader's alone: lost when it dies. */
        LEADER,
        /** Those of all in-sync replicas: never lost. */
        ALL;

        /** As histories write it: {@code all}. */
        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }

        static Optional<Acks> labelled(String label) {
            for (Acks acks : values()) {
                if (acks.label().equals(label)) {
                    return Optional.of(acks);
                }
            }
            return Optional.empty();
        }
    }

    /** Whether the brokers recognise a record that is sent again. */
    public enum Idempotence {
        /** Each record is written once, in order. */
        ON,
        /** A retry may write a record twice, or behind a later one. */
        OFF
    }
}
