package io.tidemark.checker;

import io.tidemark.history.Operation;
import java.util.Arrays;
import java.util.List;

/**
 * Sent by an operation that ended ok, and never returned by a poll: one case for each key. What a leader alone
 * acknowledged makes a case of its own, which is reported only. Compacted keys are not judged.
 */
final class Unseen implements Anomaly {
    @Override
    public void find(Evidence evidence, Findings findings) {
        for (KeyLog log : evidence.logs()) {
            if (!evidence.isCompacted(log)) {
                add(evidence, log, Standing.BAD, findings);
                add(evidence, log, Standing.REPORTED, findings);
            }
        }
    }

    private static void add(Evidence evidence, KeyLog log, Standing standing, Findings findings) {
        LongList unseen = new LongList();
        for (int id = 0; id < log.valueCount(); id++) {
            Operation writer = evidence.writer(log, id);
            if (writer != null
                    && writer.isOk()
                    && log.reader(id) == KeyLog.NONE
                    && Standing.badUnless(evidence.isWeaklyAcked(log, id)) == standing) {
                unseen.add(log.value(id));
            }
        }
        if (unseen.size() > 0) {
            findings.add(
                    AnomalyKind.UNSEEN,
                    standing,
                    () -> Facts.of("key", log.key()).with("values", named(unseen)));
        }
    }

    private static List<Long> named(LongList values) {
        return Arrays.stream(values.toArray()).sorted().limit(Pair.MAX_NAMED).boxed().toList();
    }
}
