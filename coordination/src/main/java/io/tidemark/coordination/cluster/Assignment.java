package io.tidemark.coordination.cluster;

import java.util.ArrayList;
import java.util.List;

/**
 * Where a new topic's replicas go: first replicas round the brokers, the others behind them with a shift that grows by one
 * each time round, so that the followers of one broker's leaders are spread over all others.
 */
final class Assignment {
    private Assignment() {}

    /**
     * @param brokers ids to choose from, at least {@code replicationFactor}
     * @param random any number: chooses where to start and the first shift
     * @return for each partition its brokers in order of preference
     */
    static List<List<Integer>> roundRobin(List<Integer> brokers, int partitions, int replicationFactor, long random) {
        int count = brokers.size();
        int start = Math.floorMod(random, count);
        int others = Math.max(1, count - 1);
        int firstShift = Math.floorMod(Math.floorDiv(random, (long) count), others);
        List<List<Integer>> all = new ArrayList<>();
        for (int partition = 0; partition < partitions; partition++) {
            int first = (start + partition) % count;
            int shift = firstShift + partition / count;
            List<Integer> replicas = new ArrayList<>(List.of(brokers.get(first)));
            for (int replica = 1; replica < replicationFactor; replica++) {
                int distance = 1 + (shift + replica - 1) % others;
                replicas.add(brokers.get((first + distance) % count));
            }
            all.add(replicas);
        }
        return all;
    }
}
