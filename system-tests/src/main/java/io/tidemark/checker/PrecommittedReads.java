package io.tidemark.checker;

import io.tidemark.history.Action.Transfer;
import io.tidemark.history.Operation;
import io.tidemark.history.ReadRecords;
import io.tidemark.history.Step;
import io.tidemark.history.Step.Poll;

/** One operation, of any outcome, sent a value and polled it: one case for each operation. */
final class PrecommittedReads implements Anomaly {
    @Override
    public void find(Evidence evidence, Findings findings) {
        int number = 0;
        for (Operation operation : evidence.operations()) {
            if (operation.action() instanceof Transfer transfer
                    && transfer.steps().size() > 1) {
                find(evidence, number, transfer, findings);
            }
            number++;
        }
    }

    private static void find(Evidence evidence, int number, Transfer transfer, Findings findings) {
        for (Step step : transfer.steps()) {
            if (step instanceof Poll poll) {
                for (ReadRecords records : poll.records()) {
                    if (isFound(evidence, number, records, findings)) {
                        return;
                    }
                }
            }
        }
    }

    private static boolean isFound(Evidence evidence, int number, ReadRecords records, Findings findings) {
        for (int i = 0; i < records.size(); i++) {
            KeyLog log = evidence.log(records.key());
            long value = records.value(i);
            if (log.writer(log.id(value)) == number) {
                findings.add(AnomalyKind.PRECOMMITTED_READ, () -> Facts.of("key", log.key())
                        .with("value", value)
                        .with("op", evidence.operations().get(number).index()));
                return true;
            }
        }
        return false;
    }
}
