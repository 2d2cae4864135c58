package io.tidemark.coordination.zookeeper;

/**
 * What ZooKeeper says about a node.
 *
 * @param version of its data, from 0
 * @param czxid transaction that created it
 * @param ephemeralOwner session that owns it, 0 for a persistent node
 */
public record ZkStat(int version, long czxid, long ephemeralOwner) {
    /** The czxid of a node that a multi created: the server does not tell it. */
    public static final long UNKNOWN = 0;

    /** The stat of an operation that leaves none. */
    public static final ZkStat NONE = new ZkStat(-1, UNKNOWN, 0);
}
