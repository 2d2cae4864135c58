package io.tidemark.core.log;

import io.tidemark.core.testkit.SeededRandomness;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * Random steps on a real thing and on its model, case by case; a case is decided by its seed alone. Each step draws from a
 * generator of its own, so that a failed case can be repeated without some of its steps: what is reported is the shortest list
 * that was found to fail, and the command that repeats the case.
 *
 * <p>{@code ./test --long log --seed S --cases N} sets the properties {@code tidemark.model.seed} and {@code
 * tidemark.model.cases}, which stand above what a test asks for.
 */
public final class ModelRun {
    private static final String SEED_PROPERTY = "tidemark.model.seed";
    private static final String CASES_PROPERTY = "tidemark.model.cases";
    private static final int PROGRESS_CASES = 10_000;
    private static final int MAX_SHRINKING_RUNS = 300;
    private static final int LONG_CASE_EVERY = 10;
    private static final int LONG_CASE_FACTOR = 3;

    private final String name;
    private final int steps;
    private final Function<SeededRandomness, Model> start;

    /** The real thing beside its model. */
    public interface Model {
        /** Takes a step with both; answers what it was. */
        String step(SeededRandomness random);

        /** Compares the two. */
        void check(SeededRandomness random);
    }

    /** How a case went wrong. */
    private record Failure(List<String> trace, int failedStep, Throwable cause) {}

    /**
     * Cases of one kind.
     *
     * @param name of the kind
     * @param steps of a case; every tenth case has three times as many
     * @param start makes the two, from the case's random numbers
     */
    public ModelRun(String name, int steps, Function<SeededRandomness, Model> start) {
        this.name = name;
        this.steps = steps;
        this.start = start;
    }

    /** Runs so many cases, from seed 1 on, unless the command line asks for others. */
    public void run(int defaultCases) {
        long firstSeed = Long.getLong(SEED_PROPERTY, 1);
        int cases = Integer.getInteger(CASES_PROPERTY, defaultCases);
        System.out.printf("model %s: %d cases, seeds %d to %d%n", name, cases, firstSeed, firstSeed + cases - 1);
        Optional<AssertionError> failure = find(firstSeed, cases);
        if (failure.isPresent()) {
            throw failure.get();
        }
    }

    /** The first of so many cases that fails, if any. */
    public Optional<AssertionError> find(long firstSeed, int cases) {
        for (long seed = firstSeed; seed < firstSeed + cases; seed++) {
            int length = seed % LONG_CASE_EVERY == 0 ? LONG_CASE_FACTOR * steps : steps;
            List<Integer> all = IntStream.range(0, length).boxed().toList();
            Optional<Failure> failure = attempt(seed, all);
            if (failure.isPresent()) {
                return Optional.of(report(seed, failure.get()));
            }
            if ((seed - firstSeed + 1) % PROGRESS_CASES == 0) {
                System.out.printf("model %s: seeds up to %d are good%n", name, seed);
            }
        }
        return Optional.empty();
    }

    private Optional<Failure> attempt(long seed, List<Integer> chosen) {
        SeededRandomness random = new SeededRandomness(seed);
        List<String> trace = new ArrayList<>();
        int step = -1;
        try {
            Model model = start.apply(random.fork("start"));
            for (int next : chosen) {
                step = next;
                trace.add(step + ": " + model.step(random.fork("step " + step)));
                model.check(random.fork("check " + step));
            }
            return Optional.empty();
        } catch (Exception | AssertionError | StackOverflowError | InternalError e) {
            return Optional.of(new Failure(trace, step, e));
        }
    }

    private AssertionError report(long seed, Failure first) {
        Failure shortest = shrink(seed, first);
        return new AssertionError(
                "model " + name + ", seed " + seed + ": fails at step " + shortest.failedStep() + " of\n"
                        + String.join("\n", shortest.trace()) + "\nrepeat it with: ./test --long log --seed " + seed
                        + " --cases 1",
                shortest.cause());
    }

    /** Leaves out as many steps as it can, ever smaller pieces at a time, while the case goes on failing in the same way. */
    private Failure shrink(long seed, Failure first) {
        Failure shortest = first;
        List<Integer> left = IntStream.rangeClosed(0, Math.max(0, first.failedStep()))
                .boxed()
                .toList();
        int runs = 0;
        for (int piece = left.size() / 2; piece > 0; piece /= 2) {
            int from = 0;
            while (from < left.size() - 1 && runs < MAX_SHRINKING_RUNS) {
                List<Integer> fewer = without(left, from, from + piece);
                Optional<Failure> failure = attempt(seed, fewer);
                runs++;
                if (failure.isPresent() && isAlike(failure.get(), first)) {
                    shortest = failure.get();
                    int failedStep = shortest.failedStep();
                    left = fewer.stream().filter(step -> step <= failedStep).toList();
                } else {
                    from += piece;
                }
            }
        }
        return shortest;
    }

    private static boolean isAlike(Failure one, Failure other) {
        return one.cause().getClass() == other.cause().getClass();
    }

    private static List<Integer> without(List<Integer> steps, int from, int to) {
        List<Integer> fewer = new ArrayList<>(steps.subList(0, from));
        fewer.addAll(steps.subList(Math.min(to, steps.size()), steps.size()));
        return fewer;
    }
}
