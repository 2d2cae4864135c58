/**
 * What clients and faults did to a cluster, in the order in which it happened: the one history of the simulator and of
 * the system tests. A {@link io.tidemark.history.HistoryRecorder} writes events with bounded memory, as JSON lines or in
 * EDN, the form that Jepsen's Kafka workload has; {@link io.tidemark.history.HistoryFile} reads both, converts between
 * them, and folds events into a {@link io.tidemark.history.History} of operations, which {@code io.tidemark.checker}
 * judges.
 */
package io.tidemark.history;
