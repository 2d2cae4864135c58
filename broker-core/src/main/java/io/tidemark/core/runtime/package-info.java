/** System clock, scheduler and loops; life cycles; invariants that are always on. */
package io.tidemark.core.runtime;
