package io.tidemark.sim.script;

/** What came of playing a scenario. */
public sealed interface ScriptResult {
    /** All that was awaited and expected came, and nothing was violated. */
    record Safe() implements ScriptResult {}

    /**
     * Something that must always hold did not.
     *
     * @param invariant that found it
     * @param message for a person
     */
    record Violated(String invariant, String message) implements ScriptResult {}

    /**
     * It did not go as the text says.
     *
     * @param line of the statement, from 1
     */
    record Failed(int line, String problem) implements ScriptResult {}

    /** For a person. */
    default String text() {
        if (this instanceof Violated violated) {
            return "VIOLATED " + violated.invariant() + ": " + violated.message();
        }
        return this instanceof Failed failed ? "FAILED in line " + failed.line() + ": " + failed.problem() : "safe";
    }
}
