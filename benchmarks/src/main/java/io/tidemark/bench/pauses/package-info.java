/** How long appends take beside the deletion of segments and beside the cleaner; {@code benchmarks/log-pauses} runs it. */
package io.tidemark.bench.pauses;
