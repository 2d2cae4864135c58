/** One replica: the pure leader and follower roles, and the partition that gives one of them a log. */
package io.tidemark.replication.partition;
