/** Directories and logs that a measurement has for itself. */
package io.tidemark.bench.disk;
