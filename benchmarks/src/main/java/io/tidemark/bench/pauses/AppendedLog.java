package io.tidemark.bench.pauses;

import io.tidemark.bench.logs.Batches;
import io.tidemark.core.config.LogConfig;
import io.tidemark.core.log.AppendResult;
import io.tidemark.core.log.Log;
import io.tidemark.core.log.LogDirectories;
import io.tidemark.model.TopicId;
import io.tidemark.model.TopicPartition;
import io.tidemark.record.BatchValidator;
import java.nio.ByteBuffer;
import java.util.List;

/** A log that is led and appended to, each batch checked as a client's and committed at once. For one thread. */
final class AppendedLog {
    private static final int EPOCH = 1;

    private final Log log;
    private final List<ByteBuffer> batches;
    private int next;

    /**
     * A new log.
     *
     * @param number of its topic
     * @param batches appended in turn
     */
    AppendedLog(LogDirectories logs, int number, LogConfig config, List<ByteBuffer> batches) {
        this.log = logs.open(new TopicPartition("pauses-" + number, 0), new TopicId(1, number), config);
        this.batches = List.copyOf(batches);
        log.becomeLeader(EPOCH);
    }

    /** The log itself. */
    Log log() {
        return log;
    }

    /** Appends the next batch. */
    void append() {
        ByteBuffer batch = batches.get(next++ % batches.size());
        Batches.asSent(batch);
        boolean isValid =
                BatchValidator.validateProduced(batch, batch.remaining()).isValid();
        if (!isValid || !(log.appendAsLeader(batch, EPOCH) instanceof AppendResult.Appended appended)) {
            throw new IllegalStateException("the log refused a batch");
        }
        log.committedBound(appended.end().offset());
    }

    /** Appends so many bytes, and has them on the disk. */
    void fill(long bytes) {
        long end = log.end().position() + bytes;
        while (log.end().position() < end) {
            append();
        }
        log.force();
    }
}
