package io.tidemark.checker;

/** Inside one operation a record is polled and not the ones before it. Compacted keys are not judged. */
final class IntPollSkip implements Anomaly {
    @Override
    public void find(Evidence evidence, Findings findings) {
        Successions.insidePolls(evidence, pair -> {
            if (pair.isSkip() && !evidence.isCompacted(pair.log())) {
                findings.add(AnomalyKind.INT_POLL_SKIP, Noise.ofConsumer(evidence, pair), pair::skipped);
            }
        });
    }
}
