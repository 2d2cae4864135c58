/** What the measurements print: figures in brief, and tables. */
package io.tidemark.bench.report;
