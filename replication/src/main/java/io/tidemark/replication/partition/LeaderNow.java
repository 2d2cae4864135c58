package io.tidemark.replication.partition;

import io.tidemark.core.log.LogEnd;

/**
 * The moment of an event at a leader: what the role needs from outside to decide.
 *
 * @param timeNs by the monotonic clock
 * @param end of the local log
 * @param counted end with which the leader itself counts: forced in sync mode, else {@code end}
 * @param brokerEpoch of the leader's broker
 */
record LeaderNow(long timeNs, LogEnd end, LogEnd counted, long brokerEpoch) {}
