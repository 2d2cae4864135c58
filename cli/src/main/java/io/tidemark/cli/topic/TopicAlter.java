package io.tidemark.cli.topic;

import com.google.gson.JsonObject;
import io.tidemark.cli.ClusterOptions;
import io.tidemark.cli.CommandFailure;
import io.tidemark.cli.ExitCode;
import io.tidemark.cli.OutputOption;
import io.tidemark.cli.TopicLookup;
import io.tidemark.client.admin.Admin;
import io.tidemark.client.net.Wire;
import io.tidemark.client.net.Wire.TopicAlteration.Effect;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code tidemark topic alter} (OPERATIONS 1.2). */
@Command(
        name = "alter",
        description = {
            "Change settings of a topic; brokers apply them at once. Settings that are not named stay.",
            "To allow unclean elections asks on a terminal; elsewhere it needs --yes."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  tidemark topic alter orders -c retention.ms=86400000",
            "  tidemark topic alter orders --unset retention.ms --dry-run",
            "  tidemark topic alter orders -c min.insync.replicas=2 -o json"
        })
final class TopicAlter implements Callable<Integer> {
    private static final String UNCLEAN_ELECTION = "unclean.leader.election.enable";

    @Mixin
    private ClusterOptions cluster = new ClusterOptions();

    @Mixin
    private OutputOption output = new OutputOption();

    @Mixin
    private Confirmation confirmation = new Confirmation();

    @Parameters(paramLabel = "NAME", description = "name of the topic")
    private String name = "";

    @Option(
            names = {"-c", "--config"},
            paramLabel = "KEY=VALUE",
            description = "a setting that the topic is to have; may be repeated; default: none")
    private Map<String, String> set = new LinkedHashMap<>();

    @Option(
            names = "--unset",
            paramLabel = "KEY",
            description = "a setting for which the brokers' default is to hold again; may be repeated; default: none")
    private List<String> unset = new ArrayList<>();

    @Option(names = "--dry-run", description = "say what the settings would be; default: change them")
    private boolean dryRun;

    @Override
    public Integer call() {
        if (set.isEmpty() && unset.isEmpty()) {
            throw new CommandFailure(
                    ExitCode.USAGE,
                    "nothing to change: --config and --unset say what",
                    "tidemark topic alter orders -c retention.ms=86400000, for example");
        }
        String what = "cannot change topic " + name;
        SortedMap<String, String> configs = cluster.talk(admin -> alter(admin, what));
        JsonObject overrides = new JsonObject();
        configs.forEach(overrides::addProperty);
        JsonObject json = new JsonObject();
        json.addProperty("name", name);
        json.addProperty("changed", !dryRun);
        json.add("configs", overrides);
        String settings = configs.isEmpty() ? "no settings of its own" : configs.toString();
        output.output().sentence(json, name, "topic " + name + (dryRun ? " would have " : " has ") + settings);
        return ExitCode.OK;
    }

    private SortedMap<String, String> alter(Admin admin, String what) {
        var unused = new TopicLookup(cluster, what).find(admin, name);
        if (!dryRun && "true".equals(set.get(UNCLEAN_ELECTION))) {
            confirmation.require(
                    name,
                    "A replica that lacks acknowledged records of " + name + " may lead then, and they are gone.",
                    "topic " + name + " is not changed");
        }
        Effect effect = dryRun ? Effect.SAID : Effect.APPLIED;
        return cluster.answer(
                what, admin.alterTopic(new Wire.TopicAlteration(name, new TreeMap<>(set), unset, effect)));
    }
}
