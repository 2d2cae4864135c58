/** Writing as a leader, and waiting for the in-sync replicas. */
package io.tidemark.replication.produce;
