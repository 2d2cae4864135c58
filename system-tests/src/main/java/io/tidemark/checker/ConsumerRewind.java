package io.tidemark.checker;

import java.util.List;

/** A consumer was given an offset again, or one before it, without having been told to go back (I16). */
final class ConsumerRewind implements Anomaly {
    @Override
    public void find(Evidence evidence, Findings findings) {
        for (ConsumerSession session : evidence.sessions()) {
            for (int i = 1; i < session.size(); i++) {
                if (session.rank(i) <= session.rank(i - 1)) {
                    add(evidence, session, i, findings);
                }
            }
        }
    }

    private static void add(Evidence evidence, ConsumerSession session, int i, Findings findings) {
        KeyLog log = session.log();
        findings.add(AnomalyKind.CONSUMER_REWIND, () -> Facts.of("key", log.key())
                .with("op", evidence.operations().get(session.operation(i)).index())
                .with("process", session.process())
                .with("offsets", List.of(log.offset(session.rank(i - 1)), log.offset(session.rank(i)))));
    }
}
