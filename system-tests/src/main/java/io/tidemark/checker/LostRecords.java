package io.tidemark.checker;

import io.tidemark.history.Operation;
import java.util.BitSet;

/**
 * A final read lacks a record that was committed before it began: the promise of the whole system. Every consumer that
 * read everything from the beginning, after all was healed, must have been given each record that had been acknowledged
 * for all replicas ({@link AnomalyKind#ACKED_RECORD_LOST}), or read by anybody ({@link AnomalyKind#READ_RECORD_LOST}: it
 * was lost later, or should never have been shown, I15). Jepsen's checker sees neither where the record had been read
 * once. A record counts as found where its value is returned, at whatever offset: {@link Duplicates} looks at those.
 *
 * <p>What compaction may have taken is not missed. What is behind the final read's last record is: the reader was given
 * every chance. A final read of which a poll ended unknown is not judged.
 */
final class LostRecords implements Anomaly {
    @Override
    public void find(Evidence evidence, Findings findings) {
        for (ConsumerSession session : evidence.sessions()) {
            Operation assignment = session.assignment();
            if (session.isFinalRead() && assignment != null) {
                judge(evidence, session, assignment, findings);
            }
        }
    }

    private static void judge(Evidence evidence, ConsumerSession session, Operation assignment, Findings findings) {
        KeyLog log = session.log();
        BitSet found = new BitSet(log.valueCount());
        for (int i = 0; i < session.size(); i++) {
            found.set(session.id(i));
        }
        boolean[] owed = Owed.values(evidence, log);
        for (int id = 0; id < owed.length; id++) {
            if (!owed[id] || found.get(id)) {
                continue;
            }
            Operation writer = evidence.writer(log, id);
            Operation reader = log.reader(id) == KeyLog.NONE ? null : evidence.operations().get(log.reader(id));
            if (writer != null && writer.isOk() && !evidence.isWeaklyAcked(log, id) && isBefore(writer, assignment)) {
                add(AnomalyKind.ACKED_RECORD_LOST, session, id, writer.index(), findings);
            } else if (reader != null && isBefore(reader, assignment)) {
                add(AnomalyKind.READ_RECORD_LOST, session, id, reader.index(), findings);
            }
        }
    }

    private static boolean isBefore(Operation operation, Operation assignment) {
        return operation.completedAt() < assignment.invokedAt();
    }

    private static void add(AnomalyKind kind, ConsumerSession session, int id, long witness, Findings findings) {
        KeyLog log = session.log();
        findings.add(kind, () -> {
            Facts facts = Facts.of("key", log.key())
                    .with("value", log.value(id))
                    .with(kind == AnomalyKind.ACKED_RECORD_LOST ? "writer" : "reader", witness)
                    .with("process", session.process());
            return log.firstRank(id) == KeyLog.NONE ? facts : facts.with("offset", log.offset(log.firstRank(id)));
        });
    }
}
