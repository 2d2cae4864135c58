package io.tidemark.checker;

import io.tidemark.history.Operation;
import io.tidemark.history.Phase;
import java.util.SortedSet;
import java.util.TreeSet;

/** A poll that ended ok returned a value whose send had failed: fail must mean "not written". */
final class AbortedReads implements Anomaly {
    /** A value of a key, and who polled it: named once, however often that operation polled it. */
    private record Seen(int key, int id, int reader) implements Comparable<Seen> {
        @Override
        public int compareTo(Seen other) {
            int order = Integer.compare(key, other.key);
            order = order != 0 ? order : Integer.compare(id, other.id);
            return order != 0 ? order : Integer.compare(reader, other.reader);
        }
    }

    @Override
    public void find(Evidence evidence, Findings findings) {
        SortedSet<Seen> seen = new TreeSet<>();
        Evidence.forEachPoll(evidence.history(), (number, records) -> {
            if (records.size() == 0 || !evidence.operations().get(number).isOk()) {
                return;
            }
            KeyLog log = evidence.log(records.key());
            for (int i = 0; i < records.size(); i++) {
                int id = log.id(records.value(i));
                Operation writer = evidence.writer(log, id);
                if (writer != null && writer.outcome() == Phase.FAIL && seen.add(new Seen(log.key(), id, number))) {
                    add(log, id, writer, evidence.operations().get(number), findings);
                }
            }
        });
    }

    private static void add(KeyLog log, int id, Operation writer, Operation reader, Findings findings) {
        findings.add(AnomalyKind.G1A, () -> Facts.of("key", log.key())
                .with("value", log.value(id))
                .with("writer", writer.index())
                .with("reader", reader.index()));
    }
}
