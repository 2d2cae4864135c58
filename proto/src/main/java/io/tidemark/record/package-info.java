/** The batch codec: the same bytes in memory, on the wire and on disk (DESIGN section 3). */
package io.tidemark.record;
