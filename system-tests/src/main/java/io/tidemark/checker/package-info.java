/**
 * Judges histories. {@link io.tidemark.checker.Checker} gathers the {@code Evidence} once, the log of each key above
 * all, and hands it to one class per anomaly; a {@link io.tidemark.checker.Verdict} says what was found and what of it
 * breaks a promise. Everything is a pure function of the history, in time linear in it but for sorting, and comes out in
 * the same order each time.
 *
 * <p>The anomalies of {@code Origin.KAFKA} are those of Jepsen's Kafka workload checker, to the letter: REQUIREMENTS
 * section 3. Those of {@code Origin.TIDEMARK} are our own, which that checker cannot see.
 */
package io.tidemark.checker;
