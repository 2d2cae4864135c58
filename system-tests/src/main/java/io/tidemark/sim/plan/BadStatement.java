package io.tidemark.sim.plan;

/** A statement that says nothing: thrown while it is read, and told with its line by whoever reads the text. */
public final class BadStatement extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public BadStatement(String message) {
        super(message, null, false, false);
    }
}
