package io.tidemark.checker;

import io.tidemark.history.Action.Transfer;
import io.tidemark.history.Operation;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A consumer saw that a committed record had been cut off (I1, I14): it was told so by the epochs of its fetches, or two
 * polls returned different values at one offset.
 */
final class TruncationSeen implements Anomaly {
    @Override
    public void find(Evidence evidence, Findings findings) {
        for (Operation operation : evidence.operations()) {
            if (operation.action() instanceof Transfer transfer) {
                transfer.truncated().forEach((key, offset) -> findings.add(
                        AnomalyKind.TRUNCATION_SEEN,
                        () -> Facts.of("key", key).with("op", operation.index()).with("offset", offset)));
            }
        }
        SortedMap<Integer, FirstReads> firstReads = new TreeMap<>();
        for (ConsumerSession session : evidence.sessions()) {
            firstReads
                    .computeIfAbsent(session.log().key(), unused -> new FirstReads(session.log()))
                    .compare(evidence, session, findings);
        }
    }

    /** What was read first at each offset of a key, and by which operation. */
    private static final class FirstReads {
        private final KeyLog log;
        private final int[] ids;
        private final int[] operations;

        FirstReads(KeyLog log) {
            this.log = log;
            this.ids = new int[log.rankCount()];
            this.operations = new int[log.rankCount()];
            Arrays.fill(ids, KeyLog.NONE);
        }

        void compare(Evidence evidence, ConsumerSession session, Findings findings) {
            for (int i = 0; i < session.size(); i++) {
                int rank = session.rank(i);
                int id = session.id(i);
                if (ids[rank] == KeyLog.NONE) {
                    ids[rank] = id;
                    operations[rank] = session.operation(i);
                } else if (ids[rank] != id) {
                    long other = evidence.operations().get(session.operation(i)).index();
                    findings.add(AnomalyKind.TRUNCATION_SEEN, () -> Facts.of("key", log.key())
                            .with("ops", List.of(evidence.operations().get(operations[rank]).index(), other))
                            .with("offset", log.offset(rank))
                            .with("values", List.of(log.value(ids[rank]), log.value(id))));
                }
            }
        }
    }
}
