/** What errors mean, and what to do about them. */
package io.tidemark.cli.errors;
