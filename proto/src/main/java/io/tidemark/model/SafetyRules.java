package io.tidemark.model;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Which rules are kept. Whoever decides by one is given this at construction and asks at that line. Immutable; asking costs
 * one comparison.
 *
 * <p>A broker has {@link #ALL}: no configuration says otherwise, and the architecture tests let nobody but tests and the
 * simulator call {@link #without}.
 */
public final class SafetyRules {
    /** Every rule is kept. */
    public static final SafetyRules ALL = new SafetyRules(0);

    /** Bit {@code ordinal} is set for each rule that is waived. */
    private final long waivedBits;

    private SafetyRules(long waivedBits) {
        this.waivedBits = waivedBits;
    }

    /** Every rule but these: for tests and the simulator, which plant faults so. */
    public static SafetyRules without(SafetyRule... waived) {
        long bits = 0;
        for (SafetyRule rule : waived) {
            bits |= bit(rule);
        }
        return new SafetyRules(bits);
    }

    /** Whether the rule holds. */
    public boolean keeps(SafetyRule rule) {
        return (waivedBits & bit(rule)) == 0;
    }

    /** The rules that do not hold, in the order of their declaration. */
    public List<SafetyRule> waived() {
        return Arrays.stream(SafetyRule.values()).filter(rule -> !keeps(rule)).toList();
    }

    private static long bit(SafetyRule rule) {
        return 1L << rule.ordinal();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof SafetyRules rules && rules.waivedBits == waivedBits;
    }

    @Override
    public int hashCode() {
        return Long.hashCode(waivedBits);
    }

    @Override
    public String toString() {
        return waivedBits == 0
                ? "all rules"
                : waived().stream().map(SafetyRule::name).collect(Collectors.joining(", ", "all rules but ", ""));
    }
}
