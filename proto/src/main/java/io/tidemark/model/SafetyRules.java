package io.tidemark.model;

import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Which rules are kept. Whoever decides by one is given this at construction and asks at that line. Immutable; asking costs
 * one look-up in a set of bits.
 *
 * <p>A broker has {@link #ALL}: no configuration says otherwise, and the architecture tests let nobody but tests and the
 * simulator call {@link #without}.
 */
public final class SafetyRules {
    /** Every rule is kept. */
    public static final SafetyRules ALL = new SafetyRules(EnumSet.noneOf(SafetyRule.class));

    private final Set<SafetyRule> waived;

    private SafetyRules(EnumSet<SafetyRule> waived) {
        this.waived = Collections.unmodifiableSet(waived);
    }

    /** Every rule but these: for tests and the simulator, which plant faults so. */
    public static SafetyRules without(SafetyRule... waived) {
        EnumSet<SafetyRule> rules = EnumSet.noneOf(SafetyRule.class);
        rules.addAll(Arrays.asList(waived));
        return new SafetyRules(rules);
    }

    /** Whether the rule holds. */
    public boolean keeps(SafetyRule rule) {
        return !waived.contains(rule);
    }

    /** The rules that do not hold, in the order of their declaration. */
    public List<SafetyRule> waived() {
        return List.copyOf(waived);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof SafetyRules rules && rules.waived.equals(waived);
    }

    /** The same in every process, which an enum's own is not. */
    @Override
    public int hashCode() {
        return toString().hashCode();
    }

    @Override
    public String toString() {
        return waived.isEmpty()
                ? "all rules"
                : waived.stream().map(SafetyRule::name).collect(Collectors.joining(", ", "all rules but ", ""));
    }
}
