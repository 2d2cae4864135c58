/** Looking at ZooKeeper's nodes without being able to change them, for the command line. */
package io.tidemark.coordination.zookeeper.inspect;
