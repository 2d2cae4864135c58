package io.tidemark.coordination.zookeeper.inspect;

import io.tidemark.coordination.zookeeper.ZkStat;

/**
 * A node as a person reads it.
 *
 * @param content indented if it is JSON, else as it is
 * @param childCount how many children it has
 */
public record ZkEntry(String path, String content, ZkStat stat, int childCount) {}
