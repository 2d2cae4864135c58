package io.tidemark.replication.partition;

/** A follower as its leader names it: the broker in one life. */
public record Follower(int brokerId, long brokerEpoch) {}
