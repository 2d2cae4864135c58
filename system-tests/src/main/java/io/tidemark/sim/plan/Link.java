package io.tidemark.sim.plan;

/** One direction between two hosts. */
public record Link(Target from, Target to) {
    /** As plans write it: {@code 1 -> leader}. */
    public String text() {
        return from.text() + " -> " + to.text();
    }
}
