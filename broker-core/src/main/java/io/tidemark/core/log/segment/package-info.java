/** Segments and their indexes: known to the log alone. */
package io.tidemark.core.log.segment;
