/** One small class of meters per subject, passed in by constructor. */
package io.tidemark.core.metrics;
