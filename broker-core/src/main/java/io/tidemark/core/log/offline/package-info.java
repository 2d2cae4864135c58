/** Reads the files of a log without a broker: values for whoever shows or compares them. Changes nothing. */
package io.tidemark.core.log.offline;
