/** How long a broker with many partitions takes to open its logs; {@code benchmarks/log-open} runs it. */
package io.tidemark.bench.opening;
