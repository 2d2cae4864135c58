/** Measuring producers and consumers. */
package io.tidemark.cli.perf;
