package io.tidemark.checker;

/** Between two polls a consumer goes back, or polls a record again (I16). */
final class NonmonotonicPoll implements Anomaly {
    @Override
    public void find(Evidence evidence, Findings findings) {
        Successions.betweenPolls(evidence, pair -> {
            if (pair.isBack()) {
                findings.add(AnomalyKind.NONMONOTONIC_POLL, Noise.ofConsumer(evidence, pair), pair::back);
            }
        });
    }
}
