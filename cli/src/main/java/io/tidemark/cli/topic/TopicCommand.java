package io.tidemark.cli.topic;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import io.tidemark.cli.ClusterOptions;
import io.tidemark.cli.CommandFailure;
import io.tidemark.cli.ExitCode;
import io.tidemark.cli.Output;
import io.tidemark.cli.OutputOption;
import io.tidemark.client.net.Metadata;
import io.tidemark.client.net.Wire;
import io.tidemark.model.ErrorCode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code tidemark topic}. */
@Command(
        name = "topic",
        description = "Create, list, describe and delete topics.",
        subcommands = {
            TopicCommand.Create.class,
            TopicCommand.ListAll.class,
            TopicCommand.Describe.class,
            TopicCommand.Delete.class
        })
public final class TopicCommand {
    private static String joined(List<Integer> ids) {
        return ids.stream().map(Object::toString).collect(Collectors.joining(","));
    }

    /** Creates a topic. */
    @Command(
            name = "create",
            description = "Create a topic; returns when it is durable in ZooKeeper.",
            footer = {
                "",
                "Example: tidemark topic create orders --partitions 6 --replication-factor 3"
                        + " --config min.insync.replicas=2"
            })
    static final class Create implements Callable<Integer> {
        @Mixin
        private ClusterOptions cluster = new ClusterOptions();

        @Mixin
        private OutputOption output = new OutputOption();

        @Parameters(paramLabel = "NAME", description = "name of the topic")
        private String name = "";

        @Option(
                names = {"-p", "--partitions"},
                defaultValue = "0",
                description = "number of partitions; default: the cluster's num.partitions")
        private int partitions;

        @Option(
                names = {"-r", "--replication-factor"},
                defaultValue = "0",
                description = "replicas of each partition; default: the cluster's default.replication.factor")
        private int replicationFactor;

        @Option(
                names = {"-c", "--config"},
                description = "a topic setting, key=value; may be repeated")
        private Map<String, String> configs = new LinkedHashMap<>();

        @Override
        public Integer call() {
            Wire.TopicCreation creation =
                    new Wire.TopicCreation(name, partitions, replicationFactor, new TreeMap<>(configs));
            String id = cluster.ask("cannot create topic " + name, admin -> admin.createTopic(creation));
            Output out = output.output();
            if (out.isJson()) {
                JsonObject json = new JsonObject();
                json.addProperty("name", name);
                json.addProperty("topicId", id);
                out.json(json);
            } else {
                out.line("created topic " + name + " (id " + id + ")");
            }
            return ExitCode.OK;
        }
    }

    /** Lists topics. */
    @Command(name = "list", description = "List all topics.")
    static final class ListAll implements Callable<Integer> {
        @Mixin
        private ClusterOptions cluster = new ClusterOptions();

        @Mixin
        private OutputOption output = new OutputOption();

        @Override
        public Integer call() {
            Metadata metadata = cluster.ask("cannot list topics", admin -> admin.describeCluster());
            Output out = output.output();
            JsonArray json = new JsonArray();
            List<List<String>> rows = new ArrayList<>();
            for (Metadata.Topic topic : metadata.topics().values()) {
                int replicas = topic.partitions().values().stream()
                        .mapToInt(partition -> partition.replicas().size())
                        .max()
                        .orElse(0);
                JsonObject entry = new JsonObject();
                entry.addProperty("name", topic.name());
                entry.addProperty("topicId", topic.topicId());
                entry.addProperty("partitions", topic.partitions().size());
                entry.addProperty("replicationFactor", replicas);
                json.add(entry);
                rows.add(List.of(
                        topic.name(), Integer.toString(topic.partitions().size()), Integer.toString(replicas)));
            }
            if (out.isJson()) {
                out.json(json);
            } else {
                out.table(List.of("NAME", "PARTITIONS", "REPLICATION"), rows);
            }
            return ExitCode.OK;
        }
    }

    /** Describes a topic. */
    @Command(name = "describe", description = "Show a topic's settings, leaders and in-sync replicas.")
    static final class Describe implements Callable<Integer> {
        @Mixin
        private ClusterOptions cluster = new ClusterOptions();

        @Mixin
        private OutputOption output = new OutputOption();

        @Parameters(paramLabel = "NAME", description = "name of the topic")
        private String name = "";

        @Override
        public Integer call() {
            Metadata metadata = cluster.ask("cannot describe topic " + name, admin -> admin.describeTopic(name));
            Metadata.Topic topic = metadata.topics().get(name);
            if (topic == null || topic.error() != ErrorCode.NONE) {
                throw new CommandFailure(
                        ExitCode.FAILED,
                        "there is no topic " + name + " (said broker " + metadata.answeredBy()
                                + "); tidemark topic list shows those there are");
            }
            Output out = output.output();
            if (out.isJson()) {
                out.json(json(topic));
            } else {
                print(topic, out);
            }
            return ExitCode.OK;
        }

        private static JsonObject json(Metadata.Topic topic) {
            JsonObject configs = new JsonObject();
            topic.configs().forEach(configs::addProperty);
            JsonArray partitions = new JsonArray();
            for (Metadata.Partition partition : topic.partitions().values()) {
                JsonObject entry = new JsonObject();
                entry.addProperty("partition", partition.partition());
                entry.addProperty("leader", partition.leader());
                entry.addProperty("leaderEpoch", partition.leaderEpoch());
                entry.addProperty("partitionEpoch", partition.partitionEpoch());
                entry.add("replicas", array(partition.replicas()));
                entry.add("isr", array(partition.isr()));
                entry.add("eligible", array(partition.eligible()));
                partitions.add(entry);
            }
            JsonObject json = new JsonObject();
            json.addProperty("name", topic.name());
            json.addProperty("topicId", topic.topicId());
            json.add("configs", configs);
            json.add("partitions", partitions);
            return json;
        }

        private static JsonArray array(List<Integer> ids) {
            JsonArray array = new JsonArray();
            ids.forEach(array::add);
            return array;
        }

        private static void print(Metadata.Topic topic, Output out) {
            out.line("topic " + topic.name() + ", id " + topic.topicId());
            topic.configs().forEach((key, value) -> out.line("  " + key + "=" + value));
            List<List<String>> rows = new ArrayList<>();
            for (Metadata.Partition partition : topic.partitions().values()) {
                rows.add(List.of(
                        Integer.toString(partition.partition()),
                        partition.leader() < 0 ? "none" : Integer.toString(partition.leader()),
                        Integer.toString(partition.leaderEpoch()),
                        joined(partition.replicas()),
                        joined(partition.isr()),
                        joined(partition.eligible())));
            }
            out.table(List.of("PARTITION", "LEADER", "EPOCH", "REPLICAS", "ISR", "ELIGIBLE"), rows);
        }
    }

    /** Deletes a topic. */
    @Command(name = "delete", description = "Delete a topic and its records.")
    static final class Delete implements Callable<Integer> {
        @Mixin
        private ClusterOptions cluster = new ClusterOptions();

        @Parameters(paramLabel = "NAME", description = "name of the topic")
        private String name = "";

        @Option(
                names = {"-y", "--yes"},
                description = "do not ask")
        private boolean yes;

        @Override
        public Integer call() {
            if (!yes && !confirmed()) {
                throw new CommandFailure(
                        ExitCode.REFUSED, "topic " + name + " is not deleted: not confirmed (use --yes in scripts)");
            }
            cluster.ask("cannot delete topic " + name, admin -> admin.deleteTopic(name));
            System.out.println("deleted topic " + name);
            return ExitCode.OK;
        }

        // On a JDK whose console is never null, reading without a terminal answers null, which is no confirmation
        // either.
        @SuppressWarnings("SystemConsoleNull")
        private boolean confirmed() {
            java.io.Console console = System.console();
            if (console == null) {
                return false;
            }
            String typed = console.readLine("All records of %s will be gone. Type its name to go on: ", name);
            return name.equals(typed);
        }
    }
}
