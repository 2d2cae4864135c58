/** Operations that wait for a number to be reached (DESIGN section 4, S22-S42). */
package io.tidemark.core.purgatory;
