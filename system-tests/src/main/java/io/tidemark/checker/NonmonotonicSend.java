package io.tidemark.checker;

/** What a process sent lies before what it had sent before. */
final class NonmonotonicSend implements Anomaly {
    @Override
    public void find(Evidence evidence, Findings findings) {
        Successions.betweenSends(evidence, pair -> {
            if (pair.isBack()) {
                findings.add(AnomalyKind.NONMONOTONIC_SEND, Noise.ofProducer(evidence, pair), pair::back);
            }
        });
    }
}
