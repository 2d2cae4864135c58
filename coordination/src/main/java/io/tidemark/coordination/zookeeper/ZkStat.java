package io.tidemark.coordination.zookeeper;

/**
 * What ZooKeeper says about a node.
 *
 * @param version of its data, from 0
 * @param czxid transaction that created it
 * @param ephemeralOwner session that owns it, 0 for a persistent node
 */
public record ZkStat(int version, long czxid, long ephemeralOwner) {}
