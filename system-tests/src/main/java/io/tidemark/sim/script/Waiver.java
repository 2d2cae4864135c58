package io.tidemark.sim.script;

import io.tidemark.core.config.TruncationMode;
import io.tidemark.model.SafetyRule;
import io.tidemark.model.SafetyRules;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * What brokers are made not to keep.
 *
 * @param rules that are kept
 * @param truncation how followers find what to cut
 */
public record Waiver(SafetyRules rules, TruncationMode truncation) {
    /** Everything is kept. */
    public static final Waiver NOTHING = new Waiver(SafetyRules.ALL, TruncationMode.LEADER_EPOCH);

    /** The one rule that is not a {@link SafetyRule} but a setting. */
    static final String TRUNCATION = "replica.truncation";

    /** Waives the rules with these names; empty if one of them is no rule's. */
    public static Optional<Waiver> of(List<String> names) {
        List<SafetyRule> rules = new ArrayList<>();
        TruncationMode truncation = TruncationMode.LEADER_EPOCH;
        for (String name : names) {
            Optional<SafetyRule> rule = rule(name);
            rule.ifPresent(rules::add);
            if (name.equals(TRUNCATION)) {
                truncation = TruncationMode.HIGH_WATERMARK;
            } else if (rule.isEmpty()) {
                return Optional.empty();
            }
        }
        return Optional.of(new Waiver(SafetyRules.without(rules.toArray(new SafetyRule[0])), truncation));
    }

    /** The names of what is waived. */
    public List<String> names() {
        List<String> names = new ArrayList<>();
        if (truncation != TruncationMode.LEADER_EPOCH) {
            names.add(TRUNCATION);
        }
        rules.waived().forEach(rule -> names.add(rule.name()));
        return names;
    }

    private static Optional<SafetyRule> rule(String name) {
        return Arrays.stream(SafetyRule.values())
                .filter(rule -> rule.name().equals(name))
                .findFirst();
    }
}
