/** What a simulated run does, as values: who takes part, which faults strike when, who writes and reads. */
package io.tidemark.sim.plan;
