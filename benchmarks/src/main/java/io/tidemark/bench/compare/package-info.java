/**
 * Tidemark and Kafka in turn on one machine, with the same workload: starts clusters of real processes, measures, and prints
 * the table. {@code benchmarks/compare} runs it.
 */
package io.tidemark.bench.compare;
