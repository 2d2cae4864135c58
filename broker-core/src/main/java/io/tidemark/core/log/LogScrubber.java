package io.tidemark.core.log;

import io.tidemark.core.metrics.ScrubMetrics;
import io.tidemark.model.TopicPartition;
import io.tidemark.runtime.EventLoops;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Reads the sealed segments of all logs, slowly and for ever, so that a damage is found before somebody needs the records or the
 * last sound copy (DESIGN section 3). Only reads: appends never wait for it.
 *
 * <p>The shell around {@link ScrubCursor}, on a loop of its own, which does nothing else and may wait for the disk. It reads in
 * slices, each of at most what the rate gives for its period and one batch; what a large batch takes too much is missing
 * from the next slices.
 */
public final class LogScrubber implements AutoCloseable {
    /** Between two slices: short enough that no slice is felt on the disk. */
    static final Duration PERIOD = Duration.ofMillis(200);

    /** No slice is larger, whatever the rate: others want the disk too. */
    private static final int MAX_SLICE_BYTES = 16 << 20;

    /** After a round that found nothing sealed in any log: 10 seconds. */
    private static final int REST_SLICES = 50;

    private final LogRegistry logs;
    private final EventLoops.Loop loop;
    private final ScrubMetrics metrics;
    private final Listener listener;
    private final long sliceBytes;
    private final ScrubCursor cursor = new ScrubCursor();
    private long allowanceBytes;
    private int restingSlices;

    /** Told of each damage once, on the scrubber's loop; the log has reported it already. Does not block. */
    @FunctionalInterface
    public interface Listener {
        /** The log of that partition knows it already. */
        void found(TopicPartition partition, LogDamage damage);
    }

    /**
     * @param bytesPerSecond over all logs; 0 for never ({@code log.scrub.bytes.per.second})
     * @param loop its own, closed with it
     */
    public LogScrubber(
            LogRegistry logs, long bytesPerSecond, EventLoops.Loop loop, ScrubMetrics metrics, Listener listener) {
        this.logs = logs;
        this.loop = loop;
        this.metrics = metrics;
        this.listener = listener;
        long perPeriod = bytesPerSecond / Math.max(1, Duration.ofSeconds(1).dividedBy(PERIOD));
        this.sliceBytes = bytesPerSecond == 0 ? 0 : Math.max(1, Math.min(MAX_SLICE_BYTES, perPeriod));
    }

    /** Begins at the front of the first log; does nothing at a rate of 0. To be called once. */
    public void start() {
        if (sliceBytes > 0) {
            loop.scheduleEvery(PERIOD, this::slice);
        }
    }

    /** Begins nothing more; a slice that runs finishes. Idempotent; does not wait. */
    @Override
    public void close() {
        loop.close();
    }

    private void slice() {
        if (restingSlices > 0) {
            restingSlices--;
            return;
        }
        allowanceBytes = Math.min(sliceBytes, allowanceBytes + sliceBytes);
        List<Log> present = logs.logs();
        // One round at most: where nothing is sealed there is nothing to read.
        int turnsLeft = present.size() + 1;
        long readBytes = 0;
        while (allowanceBytes > 0 && turnsLeft > 0) {
            Optional<Log> turn = cursor.turn(present);
            if (turn.isEmpty()) {
                return;
            }
            Scrubbed scrubbed = turn.get().scrub(cursor.point(), (int) allowanceBytes);
            allowanceBytes -= scrubbed.readBytes();
            readBytes += scrubbed.readBytes();
            metrics.scrubbed(scrubbed.readBytes());
            scrubbed.found().ifPresent(damage -> listener.found(turn.get().partition(), damage));
            cursor.onRead(present, scrubbed.next());
            turnsLeft -= scrubbed.next().isEmpty() ? 1 : 0;
        }
        restingSlices = turnsLeft == 0 && readBytes == 0 ? REST_SLICES : 0;
    }
}
