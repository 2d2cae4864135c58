package io.tidemark.checker;

/** Inside one operation a record is polled behind a later one, or again. */
final class IntNonmonotonicPoll implements Anomaly {
    @Override
    public void find(Evidence evidence, Findings findings) {
        Successions.insidePolls(evidence, pair -> {
            if (pair.isBack()) {
                findings.add(AnomalyKind.INT_NONMONOTONIC_POLL, Noise.ofConsumer(evidence, pair), pair::back);
            }
        });
    }
}
