package io.tidemark.checker;

/** Another record lies between two that one operation sent: allowed, a log isolates nobody. */
final class IntSendSkip implements Anomaly {
    @Override
    public void find(Evidence evidence, Findings findings) {
        Successions.insideSends(evidence, pair -> {
            if (pair.isSkip()) {
                findings.add(AnomalyKind.INT_SEND_SKIP, Noise.ofProducer(evidence, pair), pair::skipped);
            }
        });
    }
}
