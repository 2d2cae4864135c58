/** Completion for shells. */
package io.tidemark.cli.completion;
