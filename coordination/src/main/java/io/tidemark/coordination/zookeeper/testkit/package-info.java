/** ZooKeeper's data as a value in memory. In main because the simulator and this module's tests both stand on it. */
package io.tidemark.coordination.zookeeper.testkit;
