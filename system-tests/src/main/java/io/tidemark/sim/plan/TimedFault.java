package io.tidemark.sim.plan;

/**
 * A fault with its time.
 *
 * @param atMs since the topic had its first leader, by the world's clock
 */
public record TimedFault(long atMs, SimFault fault) {
    public TimedFault {
        if (atMs < 0) {
            throw new IllegalArgumentException("a fault at " + atMs + " ms");
        }
    }

    /** As plans write it: {@code at 310ms crash leader down 700ms}. */
    public String text() {
        return "at " + atMs + "ms " + fault.text();
    }
}
