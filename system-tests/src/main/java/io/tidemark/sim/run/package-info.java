/** Runs of plans: one, many on several threads, and ever smaller ones that still show a violation. */
package io.tidemark.sim.run;
