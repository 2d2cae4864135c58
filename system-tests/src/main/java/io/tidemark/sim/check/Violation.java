package io.tidemark.sim.check;

/** A rule does not hold. The message begins with the rule's id and says what was seen. */
public final class Violation extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    private final String invariant;

    /** @param invariant {@link Invariant#name()} of what found it */
    public Violation(String invariant, String message) {
        super(message);
        this.invariant = invariant;
    }

    /** What found it; the same for the same kind of harm, whatever the message says. */
    public String invariant() {
        return invariant;
    }
}
