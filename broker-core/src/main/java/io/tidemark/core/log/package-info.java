/** The log of one partition, and the log directories of a broker. */
package io.tidemark.core.log;
