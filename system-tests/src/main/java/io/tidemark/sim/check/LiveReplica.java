package io.tidemark.sim.check;

import io.tidemark.core.log.Log;
import io.tidemark.core.log.LogEnd;
import io.tidemark.core.runtime.KafkaStorageException;
import io.tidemark.model.PartitionState;
import io.tidemark.model.TopicPartition;
import io.tidemark.replication.partition.Partition;
import io.tidemark.replication.partition.PartitionView;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** A log of a running process, and the replica that the process makes of it. */
final class LiveReplica implements ReplicaSource {
    private final Observed observed;
    private final RunningBroker broker;
    private final TopicPartition partition;
    private final Log log;

    LiveReplica(Observed observed, RunningBroker broker, TopicPartition partition, Log log) {
        this.observed = observed;
        this.broker = broker;
        this.partition = partition;
        this.log = log;
    }

    /** Whether this is what the process has now. */
    // One object stands for one life of a process, or for one log.
    @SuppressWarnings("ReferenceEquality")
    boolean isOf(RunningBroker now, Log current) {
        return broker == now && log == current;
    }

    @Override
    public LogEnd end() {
        return log.end();
    }

    @Override
    public long startOffset() {
        return log.startOffset();
    }

    @Override
    public long truncations() {
        return log.truncations();
    }

    @Override
    public long forcedEnd() {
        return log.forcedEnd().offset();
    }

    @Override
    public @Nullable List<BatchMark> read(long from) {
        Reading reading = new Reading(log, from);
        observed.aside(reading);
        return reading.marks;
    }

    @Override
    public @Nullable PartitionView view() {
        Partition replica = broker.replica(partition);
        return replica == null ? null : replica.view();
    }

    @Override
    public @Nullable PartitionState state() {
        Partition replica = broker.replica(partition);
        return replica == null ? null : replica.state().orElse(null);
    }

    @Override
    public long cutsBelowHighWatermark() {
        Partition replica = broker.replica(partition);
        return replica == null ? 0 : replica.belowHighWatermarkCuts();
    }

    @Override
    public OptionalLong cleanedTo() {
        return broker.cleanedTo(partition);
    }

    private static final class Reading implements Runnable {
        private final Log log;
        private final long from;
        private @Nullable List<BatchMark> marks;

        private Reading(Log log, long from) {
            this.log = log;
            this.from = from;
        }

        @Override
        public void run() {
            try {
                marks = LogContents.read(log, from);
            } catch (KafkaStorageException fenced) {
                // The process is about to end; what is on the disk is what the next one finds.
                marks = null;
            }
        }
    }
}
