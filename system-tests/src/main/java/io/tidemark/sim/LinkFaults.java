package io.tidemark.sim;

/**
 * What is wrong with one direction between two hosts. The chances are drawn for each message by itself.
 *
 * @param cut nothing arrives, and nobody is told: callers learn it by their timeouts
 * @param dropPermille of messages that are lost with their connection, so that the caller learns at once that no answer comes
 * @param duplicatePermille of requests of which a copy arrives, too: of a single call in any case, of a stream's requests only
 *     when the stream breaks and its outstanding requests are repeated by what lies between
 * @param reorderPermille of single calls and their answers that others may overtake
 * @param extraDelayMs longest time by which each message is late beside its ordinary delay
 * @param latestDuplicateMs longest time by which a copy is late: it may find another process at its host
 */
public record LinkFaults(
        boolean cut,
        int dropPermille,
        int duplicatePermille,
        int reorderPermille,
        int extraDelayMs,
        int latestDuplicateMs) {
    /** A link as it should be. */
    public static final LinkFaults NONE = new LinkFaults(false, 0, 0, 0, 0, 0);

    private static final int ALL = 1_000;

    public LinkFaults {
        boolean chances = isChance(dropPermille) && isChance(duplicatePermille) && isChance(reorderPermille);
        if (!chances || extraDelayMs < 0 || latestDuplicateMs < 0) {
            throw new IllegalArgumentException("not faults of a link: drop " + dropPermille + ", duplicate "
                    + duplicatePermille + ", reorder " + reorderPermille + " permille, delay " + extraDelayMs
                    + " ms, copies within " + latestDuplicateMs + " ms");
        }
    }

    private static boolean isChance(int permille) {
        return permille >= 0 && permille <= ALL;
    }

    /** The same, and nothing passes. */
    public LinkFaults withCut() {
        return new LinkFaults(true, dropPermille, duplicatePermille, reorderPermille, extraDelayMs, latestDuplicateMs);
    }

    /** The same, but what is sent passes. */
    public LinkFaults withoutCut() {
        return new LinkFaults(false, dropPermille, duplicatePermille, reorderPermille, extraDelayMs, latestDuplicateMs);
    }

    /** The same, with messages that are lost. */
    public LinkFaults withDrops(int permille) {
        return new LinkFaults(cut, permille, duplicatePermille, reorderPermille, extraDelayMs, latestDuplicateMs);
    }

    /** The same, with copies. */
    public LinkFaults withDuplicates(int permille, int latestMs) {
        return new LinkFaults(cut, dropPermille, permille, reorderPermille, extraDelayMs, latestMs);
    }

    /** The same, with calls that overtake each other. */
    public LinkFaults withReorder(int permille) {
        return new LinkFaults(cut, dropPermille, duplicatePermille, permille, extraDelayMs, latestDuplicateMs);
    }

    /** The same, but slow. */
    public LinkFaults withExtraDelay(int longestMs) {
        return new LinkFaults(cut, dropPermille, duplicatePermille, reorderPermille, longestMs, latestDuplicateMs);
    }
}
