package io.tidemark.sim.run;

/** What came of the run of one seed. */
public record SeedResult(long seed, RunResult result) {}
