/** Brokers together: replicas, their roles, and the ports through which they reach peers and the controller. */
package io.tidemark.replication;
