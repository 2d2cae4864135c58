package io.tidemark.core.io;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Which file operations go wrong, and how.
 *
 * <p>As text: {@code operations:glob[:options]}, for example {@code append:*.log:after=100} or {@code
 * force,force-directory:*:times=1} or {@code read:/data/1/*:slow=20}. Operations are the names of {@link FileOperation}
 * in lower case with dashes, or {@code *}. Options are {@code after=N} (the first N matching calls pass), {@code
 * times=N} (that many calls are hit, then none; default all), {@code short} and {@code slow=MILLISECONDS}.
 *
 * @param operations operations that match
 * @param glob with {@code *} and {@code ?}; compared with the whole path if it has a slash, else with the file name
 * @param afterCalls matching calls that pass before the first is hit
 * @param times matching calls that are hit
 * @param effect what happens to a call that is hit
 * @param delay for {@link Effect#SLOW}
 */
public record FaultRule(
        Set<FileOperation> operations, String glob, long afterCalls, long times, Effect effect, Duration delay) {
    /** What happens to a call. */
    public enum Effect {
        /** It does nothing and throws. */
        FAIL,
        /** An append writes half of its bytes and throws, a read fills half of its target; others fail. */
        SHORT,
        /** It waits and then does its work. */
        SLOW
    }

    public FaultRule {
        operations = Set.copyOf(operations);
        if (operations.isEmpty() || afterCalls < 0 || times < 1) {
            throw new IllegalArgumentException("a fault has operations, after >= 0 and times >= 1");
        }
    }

    /** Every call of {@code operation} on a path that matches fails. */
    public static FaultRule failing(FileOperation operation, String glob) {
        return new FaultRule(Set.of(operation), glob, 0, Long.MAX_VALUE, Effect.FAIL, Duration.ZERO);
    }

    /** Every call on any path fails: to be narrowed by {@link #after} and {@link #times}. */
    public static FaultRule failingAny() {
        return new FaultRule(EnumSet.allOf(FileOperation.class), "*", 0, Long.MAX_VALUE, Effect.FAIL, Duration.ZERO);
    }

    /** The same rule, hitting only after {@code calls} matching calls have passed. */
    public FaultRule after(long calls) {
        return new FaultRule(operations, glob, calls, times, effect, delay);
    }

    /** The same rule, hitting {@code calls} calls only. */
    public FaultRule times(long calls) {
        return new FaultRule(operations, glob, afterCalls, calls, effect, delay);
    }

    /** The same rule with {@link Effect#SHORT}. */
    public FaultRule cuttingShort() {
        return new FaultRule(operations, glob, afterCalls, times, Effect.SHORT, delay);
    }

    /** The same rule with {@link Effect#SLOW}. */
    public FaultRule slowing(Duration newDelay) {
        return new FaultRule(operations, glob, afterCalls, times, Effect.SLOW, newDelay);
    }

    /** Reads the text form; throws {@link IllegalArgumentException} that says what is wrong. */
    public static FaultRule parse(String text) {
        String[] parts = text.trim().split(":", 3);
        if (parts.length < 2 || parts[1].isEmpty()) {
            throw new IllegalArgumentException("expected operations:glob[:options], not \"" + text + "\"");
        }
        FaultRule rule =
                new FaultRule(parseOperations(parts[0]), parts[1], 0, Long.MAX_VALUE, Effect.FAIL, Duration.ZERO);
        if (parts.length == 3) {
            for (String option : parts[2].split(",", -1)) {
                rule = rule.withOption(option.trim());
            }
        }
        return rule;
    }

    private static Set<FileOperation> parseOperations(String text) {
        if (text.equals("*")) {
            return EnumSet.allOf(FileOperation.class);
        }
        return Arrays.stream(text.split(",", -1))
                .map(name -> parseOperation(name.trim()))
                .collect(Collectors.toCollection(() -> EnumSet.noneOf(FileOperation.class)));
    }

    private static FileOperation parseOperation(String name) {
        return Arrays.stream(FileOperation.values())
                .filter(operation -> operation.specName().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("unknown file operation \"" + name + "\""));
    }

    private FaultRule withOption(String option) {
        if (option.equals("short")) {
            return cuttingShort();
        }
        String[] pair = option.split("=", 2);
        boolean numeric = pair.length == 2 && pair[1].matches("[0-9]{1,18}");
        if (numeric && pair[0].equals("after")) {
            return after(Long.parseLong(pair[1]));
        }
        if (numeric && pair[0].equals("times")) {
            return times(Long.parseLong(pair[1]));
        }
        if (numeric && pair[0].equals("slow")) {
            return slowing(Duration.ofMillis(Long.parseLong(pair[1])));
        }
        throw new IllegalArgumentException("unknown fault option \"" + option + "\"");
    }

    /** Whether the rule counts a call of that operation on that path. */
    boolean matches(FileOperation operation, Path path, Pattern compiledGlob) {
        return operations.contains(operation)
                && compiledGlob
                        .matcher(glob.contains("/") ? path.toString() : String.valueOf(path.getFileName()))
                        .matches();
    }

    /** The glob in the form that {@link #matches} takes; compiled once per plan. */
    Pattern compileGlob() {
        return Pattern.compile(Arrays.stream(glob.split("(?<=[*?])|(?=[*?])"))
                .map(part -> part.equals("*") ? ".*" : part.equals("?") ? "." : Pattern.quote(part))
                .collect(Collectors.joining()));
    }
}
