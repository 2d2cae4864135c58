package io.tidemark.bench.compare;

import java.util.List;

/**
 * How much is done, the same for both systems.
 *
 * @param warmUp runs that a fresh cluster gets first
 * @param consumeRecords of 1 KiB that are written, then read
 * @param latencyWarmUpSeconds in the same client process
 * @param latencySeconds that are measured
 * @param failoverWindowSeconds how long produces are watched after a follower's death
 */
record Workload(
        List<Produce> warmUp,
        Produce small16K,
        Produce small256K,
        Produce large16K,
        Produce large256K,
        int consumeRecords,
        int latencyWarmUpSeconds,
        int latencySeconds,
        int failoverWindowSeconds) {
    /** Partitions of every topic that is written at full speed or at a fixed rate. */
    static final int PARTITIONS = 6;

    /** Partitions of the topic of a failover: each broker leads one. */
    static final int FAILOVER_PARTITIONS = 3;

    static final int REPLICAS = 3;
    static final int SMALL_BYTES = 100;
    static final int LARGE_BYTES = 1024;

    private static final int BATCH_16K = 16 * 1024;
    private static final int BATCH_256K = 256 * 1024;

    /** A producer at full speed: acks=all, linger 5 ms. */
    record Produce(int recordBytes, int batchBytes, int records) {
        long totalBytes() {
            return (long) recordBytes * records;
        }
    }

    /** As much as the peer's published figures were measured with. */
    static Workload full() {
        Produce warmSmall = new Produce(SMALL_BYTES, BATCH_16K, 2_000_000);
        Produce warmLarge = new Produce(LARGE_BYTES, BATCH_256K, 300_000);
        return new Workload(
                List.of(warmSmall, warmLarge, warmSmall, warmLarge),
                new Produce(SMALL_BYTES, BATCH_16K, 3_000_000),
                new Produce(SMALL_BYTES, BATCH_256K, 6_000_000),
                new Produce(LARGE_BYTES, BATCH_16K, 500_000),
                new Produce(LARGE_BYTES, BATCH_256K, 1_000_000),
                1_500_000,
                12,
                12,
                35);
    }

    /** Enough to see that it works; its figures mean nothing. */
    static Workload quick() {
        return new Workload(
                List.of(new Produce(SMALL_BYTES, BATCH_16K, 10_000)),
                new Produce(SMALL_BYTES, BATCH_16K, 50_000),
                new Produce(SMALL_BYTES, BATCH_256K, 50_000),
                new Produce(LARGE_BYTES, BATCH_16K, 10_000),
                new Produce(LARGE_BYTES, BATCH_256K, 10_000),
                20_000,
                2,
                2,
                12);
    }

    /** How the data that is consumed is written. */
    Produce consumeFill() {
        return new Produce(LARGE_BYTES, BATCH_256K, consumeRecords);
    }
}
