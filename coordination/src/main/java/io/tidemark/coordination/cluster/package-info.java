/** The controller's decisions: pure, one event in, the next state and what to write and send out. */
package io.tidemark.coordination.cluster;
