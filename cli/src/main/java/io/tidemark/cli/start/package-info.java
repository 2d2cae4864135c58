/** What makes the command line start quickly: the run in which the JVM learns its classes. */
package io.tidemark.cli.start;
