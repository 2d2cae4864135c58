package io.tidemark.checker;

/** Looks for one kind of anomaly, or for kinds of which one hides another. Without state: what it adds follows from the evidence alone. */
@FunctionalInterface
interface Anomaly {
    void find(Evidence evidence, Findings findings);
}
