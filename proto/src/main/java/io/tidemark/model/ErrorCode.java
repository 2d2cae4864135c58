package io.tidemark.model;

/**
 * The result of one partition's part of a request, in the field's standard names; meanings stand in {@code
 * common.proto}. The wire's enum has the same names behind the prefix {@code ERROR_CODE_}, and the same numbers.
 */
public enum ErrorCode {
    NONE(Outcome.DONE),
    UNKNOWN_SERVER_ERROR(Outcome.UNKNOWN),
    OFFSET_OUT_OF_RANGE(Outcome.FAILED),
    CORRUPT_MESSAGE(Outcome.FAILED),
    UNKNOWN_TOPIC_OR_PARTITION(Outcome.FAILED_RETRY),
    LEADER_NOT_AVAILABLE(Outcome.FAILED_RETRY),
    NOT_LEADER_OR_FOLLOWER(Outcome.UNKNOWN),
    REQUEST_TIMED_OUT(Outcome.UNKNOWN),
    MESSAGE_TOO_LARGE(Outcome.FAILED),
    INVALID_TOPIC(Outcome.FAILED),
    NOT_ENOUGH_REPLICAS(Outcome.FAILED_RETRY),
    NOT_ENOUGH_REPLICAS_AFTER_APPEND(Outcome.UNKNOWN),
    INVALID_REQUIRED_ACKS(Outcome.FAILED),
    INVALID_RECORD(Outcome.FAILED),
    OUT_OF_ORDER_SEQUENCE_NUMBER(Outcome.FAILED),
    INVALID_PRODUCER_EPOCH(Outcome.FAILED),
    UNKNOWN_PRODUCER_ID(Outcome.FAILED),
    FENCED_LEADER_EPOCH(Outcome.FAILED_RETRY),
    UNKNOWN_LEADER_EPOCH(Outcome.FAILED_RETRY),
    OFFSET_NOT_AVAILABLE(Outcome.FAILED_RETRY),
    KAFKA_STORAGE_ERROR(Outcome.UNKNOWN),
    INCONSISTENT_TOPIC_ID(Outcome.FAILED_RETRY),
    FETCH_SESSION_ID_NOT_FOUND(Outcome.FAILED_RETRY),
    INVALID_FETCH_SESSION_EPOCH(Outcome.FAILED_RETRY),
    STALE_BROKER_EPOCH(Outcome.FAILED),
    STALE_CONTROLLER_EPOCH(Outcome.FAILED),
    NOT_CONTROLLER(Outcome.FAILED_RETRY),
    TOPIC_ALREADY_EXISTS(Outcome.FAILED),
    INVALID_PARTITIONS(Outcome.FAILED),
    INVALID_REPLICATION_FACTOR(Outcome.FAILED),
    INVALID_CONFIG(Outcome.FAILED),
    INVALID_REQUEST(Outcome.FAILED),
    BROKER_NOT_AVAILABLE(Outcome.FAILED_RETRY),
    INELIGIBLE_REPLICA(Outcome.FAILED),
    INVALID_UPDATE_VERSION(Outcome.FAILED),
    THROTTLED(Outcome.FAILED_RETRY),
    BROKER_SHUTTING_DOWN(Outcome.FAILED_RETRY),
    INVALID_TIMESTAMP(Outcome.FAILED),
    POLICY_VIOLATION(Outcome.FAILED);

    /** What an error says about the write that it answers. */
    public enum Outcome {
        /** The write was done. */
        DONE,
        /** Certainly not written, and a retry cannot help. */
        FAILED,
        /** Certainly not written by this attempt; a retry may succeed. */
        FAILED_RETRY,
        /** May or may not be written; only an idempotent retry is safe. */
        UNKNOWN
    }

    private final Outcome outcome;

    ErrorCode(Outcome outcome) {
        this.outcome = outcome;
    }

    public Outcome outcome() {
        return outcome;
    }

    /** Whether a retry may succeed; for {@link Outcome#UNKNOWN} only an idempotent one avoids duplicates. */
    public boolean isRetriable() {
        return outcome == Outcome.FAILED_RETRY || outcome == Outcome.UNKNOWN;
    }
}
