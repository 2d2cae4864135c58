package io.tidemark.checker;

import io.tidemark.history.Operation;

/** A poll ended before the send of what it returned had begun: always a bug, of the log or of the recorder. */
final class ReadBeforeSend implements Anomaly {
    @Override
    public void find(Evidence evidence, Findings findings) {
        for (KeyLog log : evidence.logs()) {
            for (int id = 0; id < log.valueCount(); id++) {
                Operation writer = evidence.writer(log, id);
                // The first reader decides: if it is no proof, later ones are none either.
                if (writer != null && log.reader(id) != KeyLog.NONE) {
                    add(log, id, writer, evidence.operations().get(log.reader(id)), findings);
                }
            }
        }
    }

    private static void add(KeyLog log, int id, Operation writer, Operation reader, Findings findings) {
        if (reader.completedAt() < writer.invokedAt()) {
            findings.add(AnomalyKind.READ_BEFORE_SEND, () -> Facts.of("key", log.key())
                    .with("value", log.value(id))
                    .with("writer", writer.index())
                    .with("reader", reader.index()));
        }
    }
}
