package io.tidemark.bench.opening;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * A process of {@link LogOpen}, each step a fresh one as a broker's start is:
 *
 * <pre>
 *   create DIR SEGMENT_BYTES COUNT
 *   append DIR SEGMENT_BYTES BYTES_EACH             and ends as if it were killed
 *   open   DIR SEGMENT_BYTES COUNT BYTES_EACH THREADS   prints the nanoseconds that it took
 * </pre>
 */
public final class OpenStep {
    private OpenStep() {}

    /** Does one step, and ends the process. */
    public static void main(String[] words) {
        int status = 1;
        try {
            run(List.of(words));
            status = 0;
        } catch (IOException | RuntimeException failure) {
            failure.printStackTrace(System.err);
        }
        System.out.flush();
        Runtime.getRuntime().halt(status);
    }

    private static void run(List<String> words) throws IOException {
        Partitions partitions = new Partitions(Path.of(words.get(1)), Integer.parseInt(words.get(2)));
        switch (words.get(0)) {
            case "create" -> partitions.create(Integer.parseInt(words.get(3)));
            case "append" -> partitions.append(Long.parseLong(words.get(3))).requireSound();
            case "open" ->
                System.out.println(partitions.open(
                        Integer.parseInt(words.get(5)), Integer.parseInt(words.get(3)), Long.parseLong(words.get(4))));
            default -> throw new IllegalArgumentException("no such step: " + words.get(0));
        }
    }
}
