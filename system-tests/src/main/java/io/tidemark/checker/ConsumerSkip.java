package io.tidemark.checker;

import io.tidemark.history.Action.Start;

/**
 * A consumer was not given a committed record though it was given one behind it; or, where it had been told to begin at the
 * beginning, was not given the first ones. Unlike {@link PollSkip} it goes by offsets, looks at the beginning, and counts
 * only records that were promised to be there.
 */
final class ConsumerSkip implements Anomaly {
    @Override
    public void find(Evidence evidence, Findings findings) {
        for (ConsumerSession session : evidence.sessions()) {
            int from = session.start() == Start.KEPT ? Integer.MAX_VALUE : 0;
            for (int i = 0; i < session.size(); i++) {
                int rank = session.rank(i);
                if (session.log().owed().between(from, rank) > 0) {
                    add(evidence, session, i, from, findings);
                }
                from = rank + 1;
            }
        }
    }

    private static void add(Evidence evidence, ConsumerSession session, int i, int from, Findings findings) {
        KeyLog log = session.log();
        findings.add(AnomalyKind.CONSUMER_SKIP, () -> Facts.of("key", log.key())
                .with("op", evidence.operations().get(session.operation(i)).index())
                .with("offset", log.offset(session.rank(i)))
                .with("process", session.process())
                .with("skipped", log.valuesBetween(from, session.rank(i), Pair.MAX_NAMED)));
    }
}
