package io.tidemark.checker;

/** What an operation sent lies before what it had sent before. */
final class IntNonmonotonicSend implements Anomaly {
    @Override
    public void find(Evidence evidence, Findings findings) {
        Successions.insideSends(evidence, pair -> {
            if (pair.isBack()) {
                findings.add(AnomalyKind.INT_NONMONOTONIC_SEND, Noise.ofProducer(evidence, pair), pair::back);
            }
        });
    }
}
