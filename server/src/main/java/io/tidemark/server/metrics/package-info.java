/** Meters of a broker beside those of its rooms, by the names of {@code docs/metrics.md}; no series for a partition. */
package io.tidemark.server.metrics;
