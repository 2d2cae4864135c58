package io.tidemark.coordination.zookeeper;

/** A node's content and stat. */
public record ZkNode(String data, ZkStat stat) {}
