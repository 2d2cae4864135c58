package io.tidemark.sim;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/**
 * The lines that a run leaves for a reader. What is noted never changes the run: the same seed gives the same run with any trace,
 * so a run without one is repeated with one to see what happened.
 *
 * <p>A trace that keeps lines belongs to one run; {@link #OFF} keeps nothing and is everybody's.
 */
public interface Trace {
    /** Notes nothing, so that runs are fast. */
    Trace OFF = new Trace() {
        @Override
        public boolean isOn() {
            return false;
        }

        @Override
        public void note(long timeNs, String text) {}

        @Override
        public List<String> lines() {
            return List.of();
        }
    };

    /** Keeps all lines in memory: for short runs. */
    static Trace recording() {
        List<String> kept = new ArrayList<>();
        return new Trace() {
            @Override
            public void note(long timeNs, String text) {
                kept.add(line(timeNs, text));
            }

            @Override
            public List<String> lines() {
                return List.copyOf(kept);
            }
        };
    }

    /** Hands each line on, and keeps the last {@code kept} of them. */
    static Trace streaming(Consumer<String> lines, int kept) {
        ArrayDeque<String> last = new ArrayDeque<>(kept + 1);
        return new Trace() {
            @Override
            public void note(long timeNs, String text) {
                String line = line(timeNs, text);
                lines.accept(line);
                last.add(line);
                if (last.size() > kept) {
                    last.remove();
                }
            }

            @Override
            public List<String> lines() {
                return List.copyOf(last);
            }
        };
    }

    /** The last lines alone, as they are printed with a violation. */
    static Trace lastLines(int kept) {
        return streaming(line -> {}, kept);
    }

    /** False if a text need not even be made. */
    default boolean isOn() {
        return true;
    }

    /** @param timeNs simulated time since the start of the run */
    void note(long timeNs, String text);

    /** What is kept, oldest first. */
    List<String> lines();

    private static String line(long timeNs, String text) {
        long micros = timeNs / 1_000;
        return String.format(Locale.ROOT, "%5d.%03d ms  %s", micros / 1_000, micros % 1_000, text);
    }
}
