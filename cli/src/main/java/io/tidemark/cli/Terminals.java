package io.tidemark.cli;

/**
 * Which of the three standard streams a person sits at. The launch script finds out and says so in a property, for Java 17
 * itself only knows whether all of them are.
 */
public record Terminals(boolean input, boolean output, boolean error) {
    /** Digits of the streams that are terminals, such as {@code 02}. */
    static final String PROPERTY = "tidemark.terminals";

    /** Those of this process; none if nobody said. */
    public static Terminals current() {
        return parse(System.getProperty(PROPERTY, ""));
    }

    static Terminals parse(String digits) {
        return new Terminals(digits.contains("0"), digits.contains("1"), digits.contains("2"));
    }
}
