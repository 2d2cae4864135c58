/** Writing and reading records from a shell. */
package io.tidemark.cli.records;
