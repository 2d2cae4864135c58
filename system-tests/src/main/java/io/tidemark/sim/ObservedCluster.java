package io.tidemark.sim;

import io.tidemark.core.log.Log;
import io.tidemark.core.log.LogDirectories;
import io.tidemark.core.log.cleaner.CleanerTarget;
import io.tidemark.model.TopicPartition;
import io.tidemark.replication.partition.Partition;
import io.tidemark.sim.check.Observed;
import io.tidemark.sim.check.RunningBroker;
import java.util.List;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A cluster's hosts, as the checks see them: a process is there from the moment that its logs are loaded on, until it is gone. */
final class ObservedCluster implements Observed {
    private final SortedMap<Integer, SimHost> hosts;
    private final List<Integer> ids;
    private final SortedMap<Integer, Running> seen = new TreeMap<>();

    /** @param hosts all that there will ever be */
    ObservedCluster(SortedMap<Integer, SimHost> hosts) {
        this.hosts = hosts;
        this.ids = List.copyOf(hosts.keySet());
    }

    private record Running(SimProcess process, LogDirectories logs, long processNonce) implements RunningBroker {
        @Override
        public @Nullable Log log(TopicPartition partition) {
            return logs.find(partition).orElse(null);
        }

        @Override
        public @Nullable Partition replica(TopicPartition partition) {
            return process.replication().replicas().find(partition).orElse(null);
        }

        @Override
        public OptionalLong cleanedTo(TopicPartition partition) {
            for (CleanerTarget target : logs.cleanerTargets()) {
                if (target.log().partition().equals(partition)) {
                    return target.checkpoint().offsetOf(partition);
                }
            }
            return OptionalLong.empty();
        }
    }

    @Override
    public List<Integer> brokerIds() {
        return ids;
    }

    @Override
    // One object is one life of a process.
    @SuppressWarnings("ReferenceEquality")
    public @Nullable RunningBroker running(int brokerId) {
        SimHost host = hosts.get(brokerId);
        SimProcess process = host == null ? null : host.occupant();
        LogDirectories logs = process == null ? null : process.logs();
        if (process == null || logs == null) {
            return null;
        }
        Running known = seen.get(brokerId);
        if (known == null || known.process() != process) {
            known = new Running(process, logs, process.identity().processNonce());
            seen.put(brokerId, known);
        }
        return known;
    }
}
