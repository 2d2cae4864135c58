package io.tidemark.coordination.cluster;

import io.tidemark.model.PartitionState;

/**
 * A partition's state with the version of the node that holds it.
 *
 * @param version what the next write expects
 */
public record VersionedState(PartitionState state, int version) {}
