package io.tidemark.cli.demo;

import io.tidemark.client.TidemarkException;
import io.tidemark.runtime.Clock;
import java.util.BitSet;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/** Which records were acknowledged, and the longest silence between two acknowledgements. Thread-safe. */
final class AckLedger {
    private final Clock clock;
    private final long killAt;
    private final CountDownLatch killPoint = new CountDownLatch(1);
    private final BitSet acked;
    private long count;
    private long failures;
    private @Nullable TidemarkException lastFailure;
    private long lastAckNs;
    private long longestNs;

    /** @param killAt number of acknowledgements at which the leader is to die */
    AckLedger(Clock clock, int records, long killAt) {
        this.clock = clock;
        this.killAt = killAt;
        this.acked = new BitSet(records);
    }

    synchronized void answered(int index, @Nullable TidemarkException failure) {
        if (failure != null) {
            failures++;
            lastFailure = failure;
            return;
        }
        long nowNs = clock.monotonicNs();
        if (count > 0) {
            longestNs = Math.max(longestNs, nowNs - lastAckNs);
        }
        lastAckNs = nowNs;
        acked.set(index);
        count++;
        if (count == killAt) {
            killPoint.countDown();
        }
    }

    /** Returns when it is time to kill. */
    void awaitKillPoint() throws InterruptedException {
        killPoint.await();
    }

    synchronized long count() {
        return count;
    }

    synchronized long failures() {
        return failures;
    }

    synchronized @Nullable TidemarkException lastFailure() {
        return lastFailure;
    }

    synchronized long longestSilenceMs() {
        return longestNs / 1_000_000;
    }

    synchronized BitSet acked() {
        return (BitSet) acked.clone();
    }
}
