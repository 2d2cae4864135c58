package io.tidemark.bench.compare;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/**
 * What is compared, and how.
 *
 * @param directory everything is written below it
 * @param repetitions sessions of each system, in alternating order
 * @param systems of {@code kafka} and {@code tidemark}
 * @param leftovers whether data and logs stay
 * @param zooKeepers servers of the ensemble that Tidemark's brokers use
 * @param kills how often in a session a broker is killed for each row of that kind
 */
record Settings(
        Path directory,
        Installation installation,
        Heaps heaps,
        Workload workload,
        List<Row> rows,
        int repetitions,
        List<String> systems,
        Quiet quiet,
        Leftovers leftovers,
        int zooKeepers,
        int kills) {
    /**
     * What is installed where.
     *
     * @param distribution of Tidemark
     * @param benchmarks jar of this module
     * @param peerClassPath of Kafka with its tools
     * @param peerLogging configuration of its logger
     */
    record Installation(Path distribution, Path benchmarks, String peerClassPath, Path peerLogging) {}

    /** Heap sizes as the JVM wants them, such as 1g. */
    record Heaps(String broker, String client) {}

    /** A run begins when others use at most {@code percent} of all cores, or after {@code waitSeconds}. */
    record Quiet(double percent, int waitSeconds) {}

    /** What happens to data and logs at the end. */
    enum Leftovers {
        KEEP,
        REMOVE
    }

    static final Set<String> SYSTEMS = Set.of("kafka", "tidemark");
}
