package io.tidemark.bench.compare;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;

/** A system to compare: a cluster of three brokers in a directory of its own, and the commands of its clients. */
interface Contender {
    /** As it stands in the report: {@code kafka} or {@code tidemark}. */
    String name();

    /** Starts a new cluster; returns when all brokers are live. */
    void start() throws IOException, InterruptedException;

    /** Starts a broker again that was killed; returns when all brokers are live. */
    void restart(int broker) throws IOException, InterruptedException;

    /** Stops everything that it started, by force what does not stop. Idempotent. */
    void stop() throws IOException, InterruptedException;

    /** SIGKILL for everything that it started, without asking. */
    void kill();

    /** Process ids by broker id. */
    SortedMap<Integer, Long> brokerPids();

    /** Process ids of what the brokers need beside themselves: Tidemark's ZooKeeper. */
    Collection<Long> coordinationPids();

    /** Writes records at full speed. */
    List<String> produceCommand(Workload.Produce load, String topic, Path payload);

    /** Reads records from the start of a topic. */
    List<String> consumeCommand(String topic, int records);

    /**
     * Records per second in the output of {@link #produceCommand}.
     *
     * @throws JobFailure if it is not there
     */
    double produced(List<String> output);

    /** Records per second in the output of {@link #consumeCommand}, without what comes before the first fetch. */
    double consumed(List<String> output);

    /** A {@link io.tidemark.bench.probe.Probe} of this cluster. */
    List<String> probeCommand(String command, Map<String, String> arguments);
}
