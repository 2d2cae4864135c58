package io.tidemark.core.io;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The rules of a {@link FaultFiles} and how often each has matched. Rules come and go while files are open.
 * Thread-safe.
 *
 * <p>A sweep that makes every operation fail once runs the scenario without rules, reads {@link #calls()} and then runs
 * it that many times with {@link #failCall}.
 */
public final class FaultPlan {
    private static final int MAX_HITS = 100;

    private final List<Armed> armed = new ArrayList<>();
    private final List<String> hits = new ArrayList<>();
    private long calls;

    /** A plan of rules in their text form, separated by semicolons; no rule for an empty text. */
    public static FaultPlan parse(String text) {
        FaultPlan plan = new FaultPlan();
        for (String rule : text.split(";", -1)) {
            if (!rule.isBlank()) {
                plan.add(FaultRule.parse(rule));
            }
        }
        return plan;
    }

    /** A plan under which the call of that number fails, counted from 1, and no other. */
    public static FaultPlan failCall(long number) {
        FaultPlan plan = new FaultPlan();
        plan.add(FaultRule.failingAny().after(number - 1).times(1));
        return plan;
    }

    public synchronized void add(FaultRule rule) {
        armed.add(new Armed(rule));
    }

    /** Drops all rules: the disk is healthy again. */
    public synchronized void clear() {
        armed.clear();
    }

    /** Operations seen so far, hit or not. */
    public synchronized long calls() {
        return calls;
    }

    /** Whether every rule has hit as often as it may. */
    public synchronized boolean isSpent() {
        return armed.stream().allMatch(Armed::isSpent);
    }

    /** The first of the calls that failed or came short, at most 100, in the form {@code operation path}. */
    public synchronized List<String> hits() {
        return List.copyOf(hits);
    }

    /** Counts a call and says what happens to it. */
    synchronized Fault onCall(FileOperation operation, Path path) {
        calls++;
        Duration delay = Duration.ZERO;
        FaultRule.Effect effect = null;
        for (Armed candidate : armed) {
            if (!candidate.hits(operation, path)) {
                continue;
            }
            if (candidate.rule.effect() == FaultRule.Effect.SLOW) {
                delay = delay.plus(candidate.rule.delay());
            } else if (effect == null) {
                effect = candidate.rule.effect();
            }
        }
        if (effect != null && hits.size() < MAX_HITS) {
            hits.add(operation.specName() + " " + path);
        }
        return new Fault(delay, effect);
    }

    /** What happens to one call: a delay, then an effect or nothing. */
    record Fault(Duration delay, FaultRule.@Nullable Effect effect) {}

    private static final class Armed {
        private final FaultRule rule;
        private final Pattern glob;
        private long matched;

        private Armed(FaultRule rule) {
            this.rule = rule;
            this.glob = rule.compileGlob();
        }

        private boolean hits(FileOperation operation, Path path) {
            if (!rule.matches(operation, path, glob)) {
                return false;
            }
            matched++;
            long overdue = matched - rule.afterCalls();
            return overdue > 0 && overdue <= rule.times();
        }

        private boolean isSpent() {
            return matched - rule.afterCalls() >= rule.times();
        }
    }
}
