package io.tidemark.cli.topic;

import com.google.gson.JsonObject;
import io.tidemark.cli.ClusterOptions;
import io.tidemark.cli.CommandFailure;
import io.tidemark.cli.ExitCode;
import io.tidemark.cli.Output;
import io.tidemark.cli.OutputOption;
import io.tidemark.cli.Progress;
import io.tidemark.cli.ProgressOption;
import io.tidemark.cli.dev.Pause;
import io.tidemark.client.admin.Admin;
import io.tidemark.client.net.Metadata;
import io.tidemark.client.net.Wire;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code tidemark topic create}. */
@Command(
        name = "create",
        description = {
            "Create a topic; returns when it is durable in ZooKeeper and a broker knows a leader for each partition.",
            "Exit code 3 if it is made but has no leaders yet when the time runs out."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  tidemark topic create orders",
            "  tidemark topic create orders --partitions 6 --replication-factor 3",
            "  tidemark topic create orders -p 6 -r 3 -c min.insync.replicas=2"
        })
final class TopicCreate implements Callable<Integer> {
    @Mixin
    private ClusterOptions cluster = new ClusterOptions();

    @Mixin
    private OutputOption output = new OutputOption();

    @Mixin
    private ProgressOption progress = new ProgressOption();

    @Parameters(paramLabel = "NAME", description = "name of the topic")
    private String name = "";

    @Option(
            names = {"-p", "--partitions"},
            paramLabel = "P",
            defaultValue = "0",
            description = "number of partitions; default: the cluster's num.partitions")
    private int partitions;

    @Option(
            names = {"-r", "--replication-factor"},
            paramLabel = "R",
            defaultValue = "0",
            description = "replicas of each partition; default: the cluster's default.replication.factor")
    private int replicationFactor;

    @Option(
            names = {"-c", "--config"},
            paramLabel = "KEY=VALUE",
            description = "a topic setting; may be repeated; default: the cluster's settings")
    private Map<String, String> configs = new LinkedHashMap<>();

    @Override
    public Integer call() {
        if (partitions < 0 || replicationFactor < 0) {
            throw new CommandFailure(ExitCode.USAGE, "--partitions and --replication-factor are not negative");
        }
        return cluster.talk(this::create);
    }

    private int create(Admin admin) {
        Output out = output.output();
        Wire.TopicCreation creation =
                new Wire.TopicCreation(name, partitions, replicationFactor, new TreeMap<>(configs));
        String id = cluster.answer("cannot create topic " + name, admin.createTopic(creation));
        JsonObject json = new JsonObject();
        json.addProperty("name", name);
        json.addProperty("topicId", id);
        out.sentence(json, name, "created topic " + name + " (id " + id + ")");
        String line = "waiting for a leader of each partition of " + name;
        try (Progress waiting = progress.start(progress.mode(out), () -> line)) {
            waiting.onInterrupt(
                    () -> waiting.note("interrupted: topic " + name + " is made; its leaders were not waited for"));
            return awaitLeaders(admin, waiting);
        }
    }

    private int awaitLeaders(Admin admin, Progress waiting) {
        if (Pause.until(() -> hasLeaders(admin), cluster.timeout())) {
            return ExitCode.OK;
        }
        waiting.note("topic " + name
                + " is made, but not every partition has a leader yet; see: tidemark topic describe " + name);
        return ExitCode.TIMED_OUT;
    }

    private boolean hasLeaders(Admin admin) {
        Metadata.Topic topic = admin.describeTopic(name)
                .exceptionally(failure -> Metadata.NONE)
                .join()
                .topics()
                .get(name);
        return topic != null
                && !topic.partitions().isEmpty()
                && topic.partitions().values().stream().allMatch(partition -> partition.leader() >= 0);
    }
}
