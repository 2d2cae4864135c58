/** Compaction: keeps of each key the latest record, in place of whole old segments (DESIGN section 3). */
package io.tidemark.core.log.cleaner;
