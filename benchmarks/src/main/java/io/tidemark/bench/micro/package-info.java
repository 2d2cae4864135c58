/** JMH benchmarks of single components; {@code benchmarks/jmh} runs them. */
package io.tidemark.bench.micro;
