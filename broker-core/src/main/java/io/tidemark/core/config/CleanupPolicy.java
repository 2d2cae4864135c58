package io.tidemark.core.config;

import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;

/** What happens to old records ({@code cleanup.policy}). */
public enum CleanupPolicy {
    /** Old segments go, by age and size. */
    DELETE(true, false),
    /** The last record of each key stays. */
    COMPACT(false, true),
    /** Both: compacted, and old segments go all the same. */
    COMPACT_AND_DELETE(true, true);

    private final boolean deletes;
    private final boolean compacts;

    CleanupPolicy(boolean deletes, boolean compacts) {
        this.deletes = deletes;
        this.compacts = compacts;
    }

    /** Whether segments go by age and size. */
    public boolean deletes() {
        return deletes;
    }

    /** Whether records must have a key, of which the last one stays. */
    public boolean compacts() {
        return compacts;
    }

    /**
     * From a key's text: {@code delete}, {@code compact}, or both, separated by a comma.
     *
     * @throws IllegalArgumentException for anything else
     */
    static CleanupPolicy parse(String text) {
        Set<String> words = Arrays.stream(text.split(",", -1)).map(String::trim).collect(Collectors.toSet());
        for (CleanupPolicy policy : values()) {
            if (policy.words().equals(words)) {
                return policy;
            }
        }
        throw new IllegalArgumentException("expected delete, compact or compact,delete");
    }

    private Set<String> words() {
        return switch (this) {
            case DELETE -> Set.of("delete");
            case COMPACT -> Set.of("compact");
            case COMPACT_AND_DELETE -> Set.of("compact", "delete");
        };
    }
}
