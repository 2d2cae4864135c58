package io.tidemark.checker;

import io.tidemark.history.Operation;

/**
 * Readers came as far as a record or farther, and none of them returned it, though its send is proved. Reported only where
 * it was acknowledged by a leader alone. Compacted keys are not judged: there records go.
 */
final class LostWrites implements Anomaly {
    @Override
    public void find(Evidence evidence, Findings findings) {
        for (KeyLog log : evidence.logs()) {
            if (evidence.isCompacted(log)) {
                continue;
            }
            int bound = KeyLog.NONE;
            for (int id = 0; id < log.valueCount(); id++) {
                if (log.reader(id) != KeyLog.NONE) {
                    bound = Math.max(bound, log.firstRank(id));
                }
            }
            for (int id = 0; id < log.valueCount(); id++) {
                add(evidence, log, id, bound, findings);
            }
        }
    }

    private static void add(Evidence evidence, KeyLog log, int id, int bound, Findings findings) {
        Operation writer = evidence.writer(log, id);
        if (log.lastRank(id) == KeyLog.NONE
                || log.lastRank(id) > bound
                || log.reader(id) != KeyLog.NONE
                || writer == null
                || !evidence.isProved(log.writer(id))) {
            return;
        }
        findings.add(
                AnomalyKind.LOST_WRITE,
                Standing.badUnless(evidence.isWeaklyAcked(log, id)),
                () -> Facts.of("key", log.key()).with("value", log.value(id)).with("writer", writer.index()));
    }
}
