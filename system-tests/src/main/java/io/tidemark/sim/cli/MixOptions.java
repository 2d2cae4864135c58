package io.tidemark.sim.cli;

import io.tidemark.core.config.TruncationMode;
import io.tidemark.model.SafetyRule;
import io.tidemark.model.SafetyRules;
import io.tidemark.sim.plan.FaultFamily;
import io.tidemark.sim.plan.Mix;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** What seeds draw their plans from. */
final class MixOptions {
    private static final String ALL = "all";
    private static final String NONE = "none";

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command = CommandSpec.create();

    @Option(
            names = "--steps",
            paramLabel = "N",
            description = "moments at which something may go wrong, 0.3 to 1.5 s apart; default: 14")
    private int steps = Mix.ORDINARY.steps();

    @Option(
            names = "--faults",
            paramLabel = "FAMILY",
            split = ",",
            description =
                    "what goes wrong: network, process, disk, zookeeper, clock, operator, all or none; default: all")
    private List<String> families = List.of(ALL);

    @Option(
            names = "--without",
            paramLabel = "RULE",
            description = "plant a fault: brokers do not keep this rule; may be repeated")
    private List<SafetyRule> waived = List.of();

    @Option(
            names = "--truncation",
            paramLabel = "MODE",
            description = "leader-epoch, or high-watermark, which loses records; default: leader-epoch")
    private String truncation = word(TruncationMode.LEADER_EPOCH);

    /** The mix that was asked for. */
    Mix mix() {
        if (steps < 0) {
            throw new ParameterException(command.commandLine(), "--steps must not be negative");
        }
        return new Mix(families(), steps, SafetyRules.without(waived.toArray(new SafetyRule[0])), truncation());
    }

    /** True if nobody asked for anything else than the ordinary mix. */
    boolean isOrdinary() {
        return mix().equals(Mix.ORDINARY);
    }

    /** The options that ask for this mix again; empty for the ordinary one. */
    String words() {
        Mix mix = mix();
        List<String> words = new ArrayList<>();
        if (mix.steps() != Mix.ORDINARY.steps()) {
            words.add("--steps " + steps);
        }
        if (!mix.families().equals(Mix.ORDINARY.families())) {
            words.add("--faults " + (mix.families().isEmpty() ? NONE : familyWords(mix)));
        }
        mix.rules().waived().forEach(rule -> words.add("--without " + rule.name()));
        if (mix.truncation() != TruncationMode.LEADER_EPOCH) {
            words.add("--truncation " + truncation);
        }
        return String.join(" ", words);
    }

    private static String familyWords(Mix mix) {
        return mix.families().stream().map(FaultFamily::text).collect(Collectors.joining(","));
    }

    private SortedSet<FaultFamily> families() {
        SortedSet<FaultFamily> asked = new TreeSet<>();
        for (String name : families) {
            if (name.equals(ALL)) {
                asked.addAll(Mix.ORDINARY.families());
            } else if (!name.equals(NONE)) {
                asked.add(family(name));
            }
        }
        return asked;
    }

    private FaultFamily family(String name) {
        for (FaultFamily family : FaultFamily.values()) {
            if (family.text().equals(name)) {
                return family;
            }
        }
        throw new ParameterException(command.commandLine(), "--faults knows no \"" + name + "\"");
    }

    private TruncationMode truncation() {
        for (TruncationMode mode : TruncationMode.values()) {
            if (word(mode).equals(truncation)) {
                return mode;
            }
        }
        throw new ParameterException(command.commandLine(), "--truncation knows no \"" + truncation + "\"");
    }

    private static String word(TruncationMode mode) {
        return mode.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
