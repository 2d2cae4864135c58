package io.tidemark.client.net;

import io.tidemark.model.ErrorCode;
import io.tidemark.runtime.Randomness;
import java.time.Duration;

/**
 * When to try again, and after how long. Pure.
 *
 * @param first pause before the first retry
 * @param longest pause
 */
public record RetryRules(Duration first, Duration longest) {
    /** Short enough that a failover costs little beyond the election itself. */
    public static final RetryRules DEFAULT = new RetryRules(Duration.ofMillis(20), Duration.ofMillis(500));

    private static final int MAX_DOUBLINGS = 20;

    /** The pause before retry number {@code attempt} (from 1): doubles up to the longest, with jitter of a fifth. */
    public Duration pause(int attempt, Randomness randomness) {
        long factor = 1L << Math.min(Math.max(attempt - 1, 0), MAX_DOUBLINGS);
        long plain = Math.min(first.toNanos() * factor, longest.toNanos());
        int jitterPercent = randomness.nextInt(41) - 20;
        return Duration.ofNanos(plain + plain / 100 * jitterPercent);
    }

    /** Whether an error says that somebody else leads, or that we know an old epoch: refresh metadata first. */
    public static boolean wantsMetadata(ErrorCode error) {
        return switch (error) {
            case NOT_LEADER_OR_FOLLOWER,
                    LEADER_NOT_AVAILABLE,
                    UNKNOWN_TOPIC_OR_PARTITION,
                    FENCED_LEADER_EPOCH,
                    UNKNOWN_LEADER_EPOCH,
                    KAFKA_STORAGE_ERROR,
                    BROKER_NOT_AVAILABLE,
                    BROKER_SHUTTING_DOWN,
                    REQUEST_TIMED_OUT -> true;
            default -> false;
        };
    }
}
