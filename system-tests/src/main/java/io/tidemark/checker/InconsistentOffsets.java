package io.tidemark.checker;

import io.tidemark.history.SendMode.Acks;

/**
 * One offset held two values: two leaders gave it away, or a reader saw what was then cut off.
 *
 * <p>Reported only where all but one of the values were acknowledged by a leader alone ({@link Acks#LEADER}) and never
 * read: such records may go, and others take their place.
 */
final class InconsistentOffsets implements Anomaly {
    @Override
    public void find(Evidence evidence, Findings findings) {
        for (KeyLog log : evidence.logs()) {
            for (int rank = 0; rank < log.rankCount(); rank++) {
                if (log.idCount(rank) > 1) {
                    add(evidence, log, rank, findings);
                }
            }
        }
    }

    private static void add(Evidence evidence, KeyLog log, int rank, Findings findings) {
        int firm = 0;
        for (int i = 0; i < log.idCount(rank); i++) {
            firm += evidence.isFirm(log, log.id(rank, i)) ? 1 : 0;
        }
        findings.add(
                AnomalyKind.INCONSISTENT_OFFSETS,
                Standing.badUnless(firm < 2),
                () -> Facts.of("key", log.key())
                        .with("offset", log.offset(rank))
                        .with("values", log.valuesBetween(rank, rank + 1, Pair.MAX_NAMED)));
    }
}
