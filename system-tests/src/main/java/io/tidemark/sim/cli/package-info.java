/** The command {@code tidemark-sim}: runs seeds, replays and shrinks what went wrong, and shows that planted faults are found. */
package io.tidemark.sim.cli;
