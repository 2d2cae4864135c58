/** The {@code tidemark} command: one class per command, no logic that the client's Admin lacks. */
package io.tidemark.cli;
