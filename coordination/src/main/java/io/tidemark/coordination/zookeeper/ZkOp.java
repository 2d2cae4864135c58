package io.tidemark.coordination.zookeeper;

import io.tidemark.coordination.zookeeper.ZkSession.CreateMode;

/** One part of a multi. */
public sealed interface ZkOp {
    String path();

    /** Fails the multi unless the node's version is {@code version}. */
    record Check(String path, int version) implements ZkOp {}

    /** Creates a node. */
    record Create(String path, String data, CreateMode mode) implements ZkOp {}

    /** Replaces data at {@code version}. */
    record SetData(String path, String data, int version) implements ZkOp {}

    /** Deletes at {@code version}. */
    record Delete(String path, int version) implements ZkOp {}
}
