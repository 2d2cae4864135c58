package io.tidemark.sim.run;

import java.util.Optional;

/** The seeds from one to another, both included. */
public record Seeds(long first, long last) {
    private static final String NUMBER = "-?[0-9]{1,18}";

    public Seeds {
        if (first > last) {
            throw new IllegalArgumentException("no seeds from " + first + " to " + last);
        }
    }

    /** So many seeds from {@code first} on. */
    public static Seeds from(long first, long count) {
        return new Seeds(first, first + count - 1);
    }

    /** Reads {@code 1..100}, or a single seed. */
    public static Optional<Seeds> parse(String text) {
        String[] bounds = text.split("\\.\\.", -1);
        if (bounds.length > 2 || !bounds[0].matches(NUMBER) || !bounds[bounds.length - 1].matches(NUMBER)) {
            return Optional.empty();
        }
        long first = Long.parseLong(bounds[0]);
        long last = Long.parseLong(bounds[bounds.length - 1]);
        return first > last ? Optional.empty() : Optional.of(new Seeds(first, last));
    }
}
