package io.tidemark.model;

/** Who must have a batch before its producer hears of success. */
public enum Acks {
    /** Nobody: the producer is told nothing about the outcome. */
    NONE,
    /** The leader alone: gives no durability across a failover (I20). */
    LEADER,
    /** Every member of the ISR, which has at least min ISR members. */
    ALL
}
