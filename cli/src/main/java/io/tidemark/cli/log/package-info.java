/** Looking into log files, without a cluster. */
package io.tidemark.cli.log;
