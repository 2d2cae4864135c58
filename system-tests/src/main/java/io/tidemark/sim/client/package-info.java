/** The clients of a simulated run: the producers and consumers that ship, on simulated messages, and the history of what they saw. */
package io.tidemark.sim.client;
