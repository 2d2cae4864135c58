/** One partition's log, Kafka's and ours side by side; {@code benchmarks/log-compare} runs it. */
package io.tidemark.bench.logs;
