package io.tidemark.coordination.controller;

import io.tidemark.model.ClusterUpdate;
import io.tidemark.model.ClusterUpdate.DeletedTopic;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;

/** What there is to push: always the latest committed state, so that a slow broker costs one update, not a queue of them. */
interface UpdateSource {
    /** Everything. */
    ClusterUpdate full();

    /** The named partitions as they are now (those that still exist), the live brokers, and the named deletions. */
    ClusterUpdate delta(SortedMap<String, SortedSet<Integer>> partitions, List<DeletedTopic> deletions);
}
