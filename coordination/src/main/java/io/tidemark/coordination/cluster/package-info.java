/**
 * The controller's decisions: pure, one event in, the next state and what to write and send out (DESIGN section 6).
 *
 * <p>The door is {@link io.tidemark.coordination.cluster.ClusterMachine}. Nothing here knows a thread, a lock, a file, a
 * clock, ZooKeeper or the wire; time and random numbers arrive with events.
 */
@NullMarked
package io.tidemark.coordination.cluster;

import org.jspecify.annotations.NullMarked;
