/** Scenarios as text that a person can follow, and who plays them. */
package io.tidemark.sim.script;
