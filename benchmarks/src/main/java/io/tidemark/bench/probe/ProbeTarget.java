package io.tidemark.bench.probe;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** A cluster as the probe sees it, through the system's own client. Used by one thread. */
public interface ProbeTarget extends AutoCloseable {
    /** How long an administrative call may take. */
    Duration PATIENCE = Duration.ofSeconds(30);

    /**
     * How a sink sends: acks=all, no linger.
     *
     * @param idempotence whether the client repeats what may have been written
     * @param lingerMs how long a batch waits for more
     * @param request how long one attempt may take
     * @param delivery how long a send may take, retries included
     */
    record SinkSettings(Idempotence idempotence, int lingerMs, Duration request, Duration delivery) {
        /** The client as it comes. */
        static SinkSettings ordinary(int lingerMs) {
            return new SinkSettings(Idempotence.ON, lingerMs, Duration.ofSeconds(30), Duration.ofMinutes(2));
        }
    }

    /** Whether the client numbers its batches. */
    enum Idempotence {
        ON,
        OFF
    }

    /** Opens a producer. */
    RecordSink open(SinkSettings settings);

    /** Creates a topic whose min.insync.replicas is 2, or 1 where there is one replica. */
    void createTopic(String topic, int partitions, int replicationFactor)
            throws ExecutionException, InterruptedException, TimeoutException;

    /** Deletes a topic. */
    void deleteTopic(String topic) throws ExecutionException, InterruptedException, TimeoutException;

    /** How many brokers the cluster counts as live. */
    int liveBrokers() throws ExecutionException, InterruptedException, TimeoutException;

    /** The broker that is the active controller. */
    int controller() throws ExecutionException, InterruptedException, TimeoutException;

    /** The topic's partitions, in order. */
    List<PartitionView> partitions(String topic) throws ExecutionException, InterruptedException, TimeoutException;

    @Override
    void close();

    /**
     * One partition.
     *
     * @param leader null while there is none
     */
    record PartitionView(int partition, @Nullable Integer leader, List<Integer> inSync) {}
}
