/** Small files that are written whole: offset checkpoints, meta.properties, the clean-shutdown marker. */
package io.tidemark.core.checkpoint;
