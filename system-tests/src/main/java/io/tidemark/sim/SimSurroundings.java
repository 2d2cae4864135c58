package io.tidemark.sim;

import io.tidemark.coordination.cluster.Notice;
import java.util.SortedMap;
import java.util.function.Consumer;

/**
 * What a host and the processes on it have around them.
 *
 * @param hosts all machines of the cluster by id; complete before the first process starts
 * @param decisions hears what controllers decide
 */
record SimSurroundings(
        SimWorld world,
        SimSettings settings,
        SimNetwork network,
        SimZooKeeper zooKeeper,
        SortedMap<Integer, SimHost> hosts,
        Consumer<Notice> decisions) {}
