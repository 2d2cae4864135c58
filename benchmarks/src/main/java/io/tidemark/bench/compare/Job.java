package io.tidemark.bench.compare;

/** What is run, in this order: what kills brokers comes last, after their memory was looked at. */
enum Job {
    PRODUCE_100B_16K,
    PRODUCE_100B_256K,
    PRODUCE_1K_16K,
    PRODUCE_1K_256K,
    LATENCY_10K,
    LATENCY_10K_LINGER,
    LATENCY_1K,
    CONSUME_1K,
    MEMORY,
    FAILOVER_LEADER,
    FAILOVER_CONTROLLER,
    FAILOVER_FOLLOWER;

    /** Whether a broker dies. */
    boolean kills() {
        return this == FAILOVER_LEADER || this == FAILOVER_CONTROLLER || this == FAILOVER_FOLLOWER;
    }
}
