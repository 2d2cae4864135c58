package io.tidemark.checker;

import io.tidemark.checker.LastByKey.Last;
import io.tidemark.history.Action.Transfer;
import io.tidemark.history.Operation;
import io.tidemark.history.Phase;
import io.tidemark.history.Step;
import io.tidemark.history.Step.Send;

/**
 * A record lies before one that the same process had sent earlier to the same key. Unlike {@link NonmonotonicSend} it looks
 * past records whose place is not known, at all records instead of neighbours, and does not forget at an assignment, which
 * is none of a producer's business. Reported only for producers without idempotence or with weaker acknowledgements.
 */
final class ProducerReorder implements Anomaly {
    @Override
    public void find(Evidence evidence, Findings findings) {
        LastByKey highest = new LastByKey();
        for (Operation operation : evidence.operations()) {
            if (operation.outcome() != Phase.FAIL && operation.action() instanceof Transfer transfer) {
                for (Step step : transfer.steps()) {
                    if (step instanceof Send send) {
                        next(evidence, operation, send, highest, findings);
                    }
                }
            }
        }
    }

    private static void next(
            Evidence evidence, Operation operation, Send send, LastByKey highest, Findings findings) {
        KeyLog log = evidence.log(send.key());
        int id = log.id(send.value());
        if (log.lastRank(id) == KeyLog.NONE) {
            return;
        }
        Last before = highest.last(operation.process(), send.key());
        if (before != null) {
            Pair pair = new Pair(log, before.operation(), before.id(), operation, id);
            if (pair.isBack()) {
                findings.add(AnomalyKind.PRODUCER_REORDER, Noise.ofProducer(evidence, pair), pair::back);
                return;
            }
        }
        highest.moved(operation.process(), send.key(), new Last(operation, id));
    }
}
