package io.tidemark.sim.plan;

import io.tidemark.core.config.TruncationMode;
import io.tidemark.model.SafetyRules;
import java.util.Collections;
import java.util.EnumSet;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * What plans are drawn from.
 *
 * @param families that faults may come of; none: nothing goes wrong
 * @param steps moments at which something may go wrong, 0.3 to 1.5 s apart
 * @param rules that brokers keep
 * @param truncation how followers find what to cut
 */
public record Mix(SortedSet<FaultFamily> families, int steps, SafetyRules rules, TruncationMode truncation) {
    /** The ordinary mix: everything, for some twelve seconds, under all rules. */
    public static final Mix ORDINARY =
            new Mix(new TreeSet<>(EnumSet.allOf(FaultFamily.class)), 14, SafetyRules.ALL, TruncationMode.LEADER_EPOCH);

    public Mix {
        families = Collections.unmodifiableSortedSet(new TreeSet<>(families));
        if (steps < 0) {
            throw new IllegalArgumentException(steps + " steps");
        }
    }

    /** The same under other rules. */
    public Mix with(SafetyRules otherRules) {
        return new Mix(families, steps, otherRules, truncation);
    }

    /** The same with another way to truncate. */
    public Mix with(TruncationMode otherTruncation) {
        return new Mix(families, steps, rules, otherTruncation);
    }
}
