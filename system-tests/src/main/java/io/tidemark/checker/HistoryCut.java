package io.tidemark.checker;

/** The recorder was full, so that the end of the history is not known: what was found holds, what was not found does not. */
final class HistoryCut implements Anomaly {
    @Override
    public void find(Evidence evidence, Findings findings) {
        if (evidence.history().isCut()) {
            findings.add(AnomalyKind.HISTORY_CUT, () -> Facts.of("events", evidence.history().eventCount()));
        }
    }
}
