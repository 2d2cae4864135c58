package io.tidemark.core.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.io.FaultPlan;
import io.tidemark.core.io.FaultRule;
import io.tidemark.core.io.FileOperation;
import io.tidemark.core.runtime.KafkaStorageException;
import io.tidemark.record.InvalidBatchException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Runs a scenario again and again, and makes another one of its file operations go wrong each time, until there is none left.
 * Whatever goes wrong: the scenario ends with a storage failure and the log is fenced, or the operation is one of {@link
 * #TOLERANCES} and the scenario ends well; and a broker that starts on the healed disk has everything that it must have.
 */
final class FaultSweep {
    /**
     * What a log may go on after, silently, and why. A pattern is matched against {@code operation path}.
     *
     * <p>Failures of reading (of {@link SweptLog.Doing#READING}) are a case of their own: they are storage failures that
     * fence nothing, since a reader takes no lock; whoever gets one ends the broker.
     */
    static final List<Tolerance> TOLERANCES = List.of(
            new Tolerance("delete .*\\.deleted", "a delayed unlink (S46): the next start sweeps it"),
            new Tolerance("delete .*-delete(/.*)?", "a deleted partition's files: the next start deletes them"),
            new Tolerance("list .*-delete", "a deleted partition's files: the next start deletes them"),
            new Tolerance("delete .*\\.tmp", "a file that was not finished, at a start: the next one tries again"),
            new Tolerance(
                    "delete .*\\.snapshot", "a snapshot of producers that is not needed, or that no history fits"),
            new Tolerance("delete .*\\.cleaned", "a copy that is not swapped in: the next pass or start deletes it"),
            new Tolerance(
                    "close .*\\.log(\\.\\d+\\.(cleaned|swap))?",
                    "the bytes that count were forced, or will be through another descriptor"));

    /** Short reads that end well. */
    static final List<Tolerance> SHORT_TOLERANCES = List.of(
            new Tolerance("read .*\\.log", "the reader distrusts the index and reads from the segment's front, once"),
            new Tolerance("read .*\\.log\\.\\d+\\.swap", "the indexes are taken for wrong, and made anew"));

    private final Scenario scenario;
    private final Effect effect;
    private final SweptLog.Ending ending;
    private final List<String> wrong = new ArrayList<>();
    private final Set<String> tolerated = new TreeSet<>();
    private volatile String now = "";
    private int runs;

    /** A silent failure. */
    record Tolerance(String pattern, String why) {}

    /** What happens to an operation. */
    enum Effect {
        /** It throws, and does nothing. */
        FAIL,
        /** An append writes half of its bytes and throws; a read fills half of its target. */
        SHORT
    }

    /** Something that a broker does with a log. */
    record Scenario(String name, Script script) {}

    /** The steps of a scenario. */
    @FunctionalInterface
    interface Script {
        void run(SweptLog log) throws Exception;
    }

    FaultSweep(Scenario scenario, Effect effect, SweptLog.Ending ending) {
        this.scenario = scenario;
        this.effect = effect;
        this.ending = ending;
    }

    /** Sweeps; answers what went wrong. */
    List<String> run() {
        boolean isLeft = true;
        for (long call = 1; isLeft; call++) {
            FaultPlan plan = plan(call);
            isLeft = runWith(plan, call);
        }
        return wrong;
    }

    /** How many operations were made to go wrong. */
    int runs() {
        return runs;
    }

    /** The tolerances that were made use of, by pattern. */
    Set<String> tolerated() {
        return tolerated;
    }

    /** What is being tried, for whoever waits in vain. */
    String now() {
        return now;
    }

    private FaultPlan plan(long call) {
        if (effect == Effect.FAIL) {
            return FaultPlan.failCall(call);
        }
        FaultPlan plan = new FaultPlan();
        plan.add(new FaultRule(
                EnumSet.of(FileOperation.APPEND, FileOperation.READ),
                "*",
                call - 1,
                1,
                FaultRule.Effect.SHORT,
                Duration.ZERO));
        return plan;
    }

    /** Whether an operation was hit. */
    private boolean runWith(FaultPlan plan, long call) {
        now = scenario.name() + ", " + effect + " of operation " + call + ", " + ending;
        SweptLog log = new SweptLog(plan);
        Throwable thrown = null;
        try {
            log.open();
            scenario.script().run(log);
        } catch (Exception | AssertionError e) {
            thrown = e;
        }
        if (plan.hits().isEmpty()) {
            // Without a fault the scenario has to work.
            assertThat(thrown).as(now).isNull();
            assertThat(log.failures()).as(now).isEmpty();
            return false;
        }
        runs++;
        judge(log, plan.hits().get(0), thrown, call);
        return true;
    }

    private void judge(SweptLog log, String hit, Throwable thrown, long call) {
        try {
            plausible(log, hit, thrown);
            log.assertComesBackAfter(ending, call);
        } catch (Exception | AssertionError e) {
            Throwable first = thrown != null
                    ? thrown
                    : log.failures().isEmpty() ? null : log.failures().get(0);
            wrong.add(now + " (" + hit + ", while " + log.doing() + "): " + e
                    + (first == null ? "" : "\n    after " + first) + "\n    at " + placeOf(e));
        }
    }

    private void plausible(SweptLog log, String hit, Throwable thrown) {
        log.failures().forEach(this::requireStorageFailure);
        if (thrown != null) {
            requireStorageFailure(thrown);
            if (log.doing() == SweptLog.Doing.LOG) {
                log.assertFenced();
            }
            if (log.doing() == SweptLog.Doing.READING && log.failures().isEmpty()) {
                log.read();
            }
        } else if (log.failures().isEmpty()) {
            requireTolerated(hit);
        }
    }

    private void requireStorageFailure(Throwable failure) {
        boolean isDamageSeen = effect == Effect.SHORT && failure instanceof InvalidBatchException;
        if (!isDamageSeen && !(failure instanceof KafkaStorageException)) {
            throw new AssertionError("no storage failure: " + failure, failure);
        }
    }

    private void requireTolerated(String hit) {
        List<Tolerance> allowed = new ArrayList<>(TOLERANCES);
        if (effect == Effect.SHORT) {
            allowed.addAll(SHORT_TOLERANCES);
        }
        Tolerance found = allowed.stream()
                .filter(tolerance -> hit.matches(tolerance.pattern()))
                .findFirst()
                .orElseThrow(() -> new AssertionError("went on as if nothing had happened"));
        tolerated.add(found.pattern());
    }

    private static String placeOf(Throwable failure) {
        Throwable cause = failure.getCause() == null ? failure : failure.getCause();
        for (StackTraceElement element : cause.getStackTrace()) {
            if (element.getClassName().startsWith("io.tidemark")) {
                return element.toString();
            }
        }
        return "an unknown place";
    }
}
