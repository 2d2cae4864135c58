/** ZooKeeper: the session port, its Curator implementation, paths, node contents and guarded writes. */
package io.tidemark.coordination.zookeeper;
