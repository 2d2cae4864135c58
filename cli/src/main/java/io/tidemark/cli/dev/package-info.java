/** A local cluster of real processes, for trying things out and for tests. */
package io.tidemark.cli.dev;
