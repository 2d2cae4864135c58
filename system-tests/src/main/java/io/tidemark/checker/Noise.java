package io.tidemark.checker;

/** When an order error follows from what a producer chose, and is reported only. */
final class Noise {
    private Noise() {}

    /**
     * For consumers: a value that stands twice in the log, because nobody recognised a retry, is met twice; and what a
     * leader alone acknowledged may be gone when they come by.
     */
    static Standing ofConsumer(Evidence evidence, Pair pair) {
        KeyLog log = pair.log();
        boolean isRepeated = isRepeated(evidence, log, pair.beforeId()) || isRepeated(evidence, log, pair.afterId());
        boolean isOverNothing = pair.isSkip()
                && log.firm().between(log.lastRank(pair.beforeId()) + 1, log.lastRank(pair.afterId())) == 0;
        return Standing.badUnless(isRepeated || isOverNothing);
    }

    private static boolean isRepeated(Evidence evidence, KeyLog log, int id) {
        return log.isDuplicated(id) && evidence.isRepeatable(log, id);
    }

    /**
     * For producers: a retry that nobody recognises may overtake, and what a leader alone acknowledged may have been cut
     * off and lie where others lie now.
     */
    static Standing ofProducer(Evidence evidence, Pair pair) {
        return Standing.badUnless(isLoose(evidence, pair, pair.beforeId()) || isLoose(evidence, pair, pair.afterId()));
    }

    private static boolean isLoose(Evidence evidence, Pair pair, int id) {
        return evidence.isRepeatable(pair.log(), id) || evidence.isWeaklyAcked(pair.log(), id);
    }
}
