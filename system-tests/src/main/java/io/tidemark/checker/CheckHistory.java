package io.tidemark.checker;

import io.tidemark.checker.CheckOptions.Rules;
import io.tidemark.checker.CheckOptions.WriteOrder;
import io.tidemark.history.Action.Via;
import io.tidemark.history.HistoryFile;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/**
 * Judges a history file, JSON lines or EDN: {@code CheckHistory FILE [-o json]}. Exits with 0 if it is valid, 1 if it is
 * not, 2 if it cannot be read or the command line is wrong.
 */
public final class CheckHistory {
    static final int VALID = 0;
    static final int INVALID = 1;
    static final int UNREADABLE = 2;

    private static final int SHOWN_CASES = 10;
    private static final String USAGE =
            """
            usage: CheckHistory FILE [-o table|json] [--sub-via assign|subscribe] [--ww-deps] [--kafka-rules]
              --sub-via      how consumers came by their keys: with subscribe, jumps between polls are allowed
              --ww-deps      draw write-write edges; cycles of dependencies are then reported, not errors
              --kafka-rules  only the anomalies of Jepsen's Kafka workload checker
            exit: 0 valid, 1 invalid, 2 unreadable""";

    private CheckHistory() {}

    public static void main(String[] arguments) {
        System.exit(run(List.of(arguments), System.out, System.err));
    }

    /** What was asked for. */
    private record Request(Path file, CheckOptions options, String output) {}

    static int run(List<String> arguments, PrintStream out, PrintStream err) {
        Optional<Request> request = parse(arguments);
        if (request.isEmpty()) {
            err.println(USAGE);
            return UNREADABLE;
        }
        Path file = request.get().file();
        try {
            HistoryFile.Loaded loaded = HistoryFile.load(file);
            if (loaded.history().isEmpty()) {
                err.println(file + ": " + loaded.unreadable().map(Object::toString).orElse("unreadable"));
                return UNREADABLE;
            }
            Verdict verdict = Checker.check(loaded.history().get(), request.get().options());
            print(verdict, request.get().output(), out);
            return verdict.isValid() ? VALID : INVALID;
        } catch (IOException e) {
            err.println("cannot read " + file + ": " + e);
            return UNREADABLE;
        }
    }

    private static void print(Verdict verdict, String output, PrintStream out) {
        if (output.equals("json")) {
            out.println(VerdictJson.of(verdict));
        } else {
            VerdictText.of(verdict, SHOWN_CASES).forEach(out::println);
        }
        out.flush();
    }

    private static Optional<Request> parse(List<String> arguments) {
        Deque<String> left = new ArrayDeque<>(arguments);
        CheckOptions options = CheckOptions.STRICT;
        String output = "table";
        Path file = null;
        while (!left.isEmpty()) {
            String argument = left.removeFirst();
            String value = left.isEmpty() ? "" : left.getFirst();
            if (argument.equals("-o") && List.of("table", "json").contains(value)) {
                output = left.removeFirst();
            } else if (argument.equals("--sub-via") && List.of("assign", "subscribe").contains(value)) {
                options = options.with(left.removeFirst().equals("assign") ? Via.ASSIGN : Via.SUBSCRIBE);
            } else if (argument.equals("--ww-deps")) {
                options = options.with(WriteOrder.DRAWN);
            } else if (argument.equals("--kafka-rules")) {
                options = options.with(Rules.KAFKA_WORKLOAD);
            } else if (file == null && !argument.startsWith("-")) {
                file = Path.of(argument);
            } else {
                return Optional.empty();
            }
        }
        return file == null ? Optional.empty() : Optional.of(new Request(file, options, output));
    }
}
