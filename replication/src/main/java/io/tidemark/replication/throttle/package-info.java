/** Holding copies of chosen replicas to a rate: what a reassignment moves must not crowd out everything else. */
package io.tidemark.replication.throttle;
