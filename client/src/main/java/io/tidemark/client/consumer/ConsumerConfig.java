package io.tidemark.client.consumer;

import io.tidemark.model.Endpoint;
import java.time.Duration;
import java.util.List;

/**
 * How a consumer works.
 *
 * @param bootstrap addresses to begin with
 * @param onOutOfRange what to do when a position is not in the log (any more)
 * @param fetchMaxBytes of one answer ({@code fetch.max.bytes})
 * @param partitionMaxBytes of one partition in an answer ({@code max.partition.fetch.bytes})
 * @param fetchMaxWait how long a broker may wait for data ({@code fetch.max.wait.ms})
 * @param request how long an answer may take beyond that
 */
public record ConsumerConfig(
        List<Endpoint> bootstrap,
        OnOutOfRange onOutOfRange,
        int fetchMaxBytes,
        int partitionMaxBytes,
        Duration fetchMaxWait,
        Duration request) {
    /** What to do when a position is not in the log. */
    public enum OnOutOfRange {
        EARLIEST,
        LATEST,
        /** The next poll fails. */
        FAIL
    }

    /** Failing on positions that are out of range; large fetches, of which one waits while the last is read. */
    public static ConsumerConfig of(List<Endpoint> bootstrap) {
        return new ConsumerConfig(
                List.copyOf(bootstrap),
                OnOutOfRange.FAIL,
                16 << 20,
                4 << 20,
                Duration.ofMillis(500),
                Duration.ofSeconds(10));
    }

    public ConsumerConfig withOnOutOfRange(OnOutOfRange other) {
        return new ConsumerConfig(bootstrap, other, fetchMaxBytes, partitionMaxBytes, fetchMaxWait, request);
    }
}
