package io.tidemark.core.config;

import java.time.Duration;

/**
 * How replicas follow their leaders. Keys in parentheses.
 *
 * @param lagTimeMax a follower that was not caught up for so long leaves the ISR ({@code replica.lag.time.max.ms})
 * @param fetchersPerLeader fetcher loops per leader ({@code num.replica.fetchers})
 * @param fetchMaxBytes per partition and fetch; the first batch is returned whole ({@code replica.fetch.max.bytes})
 * @param fetchResponseMaxBytes per fetch answer ({@code replica.fetch.response.max.bytes})
 * @param fetchWaitMax longest wait at the leader for new records ({@code replica.fetch.wait.max.ms})
 * @param fetchMinBytes bytes that end the wait ({@code replica.fetch.min.bytes})
 * @param fetchBackoff pause after a fetch that failed ({@code replica.fetch.backoff.ms})
 * @param truncation where a new follower cuts its log ({@code replica.truncation})
 * @param highWatermarkCheckpointInterval between two writes of the high watermarks
 *     ({@code replica.high.watermark.checkpoint.interval.ms}, S58)
 */
public record ReplicationConfig(
        Duration lagTimeMax,
        int fetchersPerLeader,
        int fetchMaxBytes,
        int fetchResponseMaxBytes,
        Duration fetchWaitMax,
        int fetchMinBytes,
        Duration fetchBackoff,
        TruncationMode truncation,
        Duration highWatermarkCheckpointInterval) {}
