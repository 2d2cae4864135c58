package io.tidemark.sim.cli;

import io.tidemark.core.config.TruncationMode;
import io.tidemark.model.SafetyRule;
import io.tidemark.model.SafetyRules;
import io.tidemark.sim.plan.Mix;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A fault that brokers can be made to have.
 *
 * @param name by which the command line knows it
 * @param text what it is
 * @param rule that it breaks, as documents name it
 * @param waived what is switched off for it
 * @param mix that runs are drawn from
 */
record PlantedFault(String name, String text, String rule, String waived, Mix mix) {
    /** All of them. */
    static List<PlantedFault> all() {
        List<PlantedFault> all = new ArrayList<>();
        all.add(new PlantedFault(
                "truncation",
                "truncation to the high watermark",
                "I1",
                "--truncation high-watermark",
                Mix.ORDINARY.with(TruncationMode.HIGH_WATERMARK)));
        for (SafetyRule rule : SafetyRule.values()) {
            all.add(of(rule));
        }
        return all;
    }

    /** A rule behind another one is never the only thing between a fault and a loss: both are waived. */
    private static PlantedFault of(SafetyRule rule) {
        List<SafetyRule> waived = new ArrayList<>();
        waived.add(rule);
        rule.shieldedBy().ifPresent(waived::add);
        String words = waived.stream().map(one -> "--without " + one.name()).collect(Collectors.joining(" "));
        SafetyRules rules = SafetyRules.without(waived.toArray(new SafetyRule[0]));
        return new PlantedFault(rule.name(), rule.fault(), rule.rule(), words, Mix.ORDINARY.with(rules));
    }
}
