package io.tidemark.checker;

/** Between two polls a consumer jumps over records. Compacted keys are not judged. */
final class PollSkip implements Anomaly {
    @Override
    public void find(Evidence evidence, Findings findings) {
        Successions.betweenPolls(evidence, pair -> {
            if (pair.isSkip() && !evidence.isCompacted(pair.log())) {
                findings.add(AnomalyKind.POLL_SKIP, Noise.ofConsumer(evidence, pair), pair::skipped);
            }
        });
    }
}
