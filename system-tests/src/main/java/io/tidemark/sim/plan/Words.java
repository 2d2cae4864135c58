package io.tidemark.sim.plan;

import java.util.ArrayDeque;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The words of one statement of a plan or scenario, taken from the left. All methods throw {@link BadStatement} with what they
 * expected when the next word is something else.
 */
public final class Words {
    private static final int MOST_DIGITS = 9;

    private final String statement;
    private final ArrayDeque<String> left;

    private Words(String statement) {
        this.statement = statement;
        this.left = new ArrayDeque<>(List.of(statement.trim().split("\\s+", -1)));
    }

    /** The statements of a line: {@code ;} stands between two, {@code #} before what is for readers alone. */
    public static List<Words> ofLine(String line) {
        int comment = line.indexOf('#');
        String code = comment < 0 ? line : line.substring(0, comment);
        return Stream.of(code.split(";", -1))
                .filter(text -> !text.isBlank())
                .map(Words::new)
                .toList();
    }

    /** True if nothing is left. */
    public boolean isEmpty() {
        return left.isEmpty();
    }

    /** The next word, whatever it is. */
    public String next(String what) {
        String word = left.poll();
        if (word == null) {
            throw expected(what, "the end");
        }
        return word;
    }

    /** Takes the next word if it is this one. */
    public boolean take(String word) {
        boolean isNext = word.equals(left.peek());
        if (isNext) {
            left.remove();
        }
        return isNext;
    }

    /** True if the next word is this one. */
    public boolean hasNext(String word) {
        return word.equals(left.peek());
    }

    /** The next word has to be this one. */
    public void expect(String word) {
        String found = next("\"" + word + "\"");
        if (!found.equals(word)) {
            throw expected("\"" + word + "\"", found);
        }
    }

    /** Nothing may be left. */
    public void end() {
        if (!left.isEmpty()) {
            throw expected("the end", left.element());
        }
    }

    /** A host or a role. */
    public Target target() {
        String word = next("a host or a role");
        return Target.parse(word).orElseThrow(() -> expected("a host, leader, follower or controller", word));
    }

    /** True if the next word is a host or a role. */
    public boolean hasTarget() {
        return !left.isEmpty() && Target.parse(left.element()).isPresent();
    }

    /** {@code 1 -> leader}. */
    public Link link() {
        Target from = target();
        expect("->");
        return new Link(from, target());
    }

    /** A time behind its label, in milliseconds: {@code for 800ms}, {@code for 2s}. */
    public int ms(String label) {
        expect(label);
        return time(label);
    }

    /** A time, in milliseconds; {@code what} is for the message. */
    public int time(String what) {
        String word = next("a time");
        int unit = word.endsWith("ms") ? 2 : 1;
        String digits = word.substring(0, Math.max(0, word.length() - unit));
        boolean isTime = word.endsWith("s") && isNumber(digits);
        long ms = isTime ? Long.parseLong(digits) * (unit == 2 ? 1 : 1_000) : 0;
        if (!isTime || Math.abs(ms) > Integer.MAX_VALUE) {
            throw expected("a time for \"" + what + "\", such as 800ms", word);
        }
        return (int) ms;
    }

    /** A number behind its label, both bounds included. */
    public int number(String label, int least, int most) {
        expect(label);
        return number(least, most);
    }

    /** A number, both bounds included. */
    public int number(int least, int most) {
        String word = next("a number");
        if (!isNumber(word) || Integer.parseInt(word) < least || Integer.parseInt(word) > most) {
            throw expected("a number from " + least + " to " + most, word);
        }
        return Integer.parseInt(word);
    }

    /** A number of any size. */
    public long wholeNumber() {
        String word = next("a number");
        try {
            return Long.parseLong(word);
        } catch (NumberFormatException e) {
            throw expected("a number", word);
        }
    }

    /** One of some values, by how they are written. */
    public <T> T oneOf(T[] values, Function<T, String> text) {
        String word = next("a word");
        for (T value : values) {
            if (text.apply(value).equals(word)) {
                return value;
            }
        }
        throw expected(String.join(" or ", Stream.of(values).map(text).toList()), word);
    }

    /** What is wrong with the statement, for whoever finds it. */
    public BadStatement expected(String what, String found) {
        return new BadStatement("expected " + what + ", not " + found + ": " + statement.trim());
    }

    private static boolean isNumber(String word) {
        return word.matches("-?[0-9]{1," + MOST_DIGITS + "}");
    }
}
