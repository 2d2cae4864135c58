package io.tidemark.cli.topic;

import com.google.gson.JsonObject;
import io.tidemark.cli.ClusterOptions;
import io.tidemark.cli.ExitCode;
import io.tidemark.cli.Listing;
import io.tidemark.cli.OutputOption;
import io.tidemark.cli.TopicLookup;
import io.tidemark.client.net.Metadata;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code tidemark topic}. */
@Command(
        name = "topic",
        description = "Create, list, describe, change and delete topics.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  tidemark topic create orders --partitions 6 --replication-factor 3",
            "  tidemark topic list",
            "  tidemark topic describe orders"
        },
        subcommands = {
            TopicCreate.class,
            TopicCommand.ListAll.class,
            TopicDescribe.class,
            TopicAlter.class,
            TopicCommand.Delete.class,
            TopicTrim.class
        })
public final class TopicCommand {
    /** Lists topics. */
    @Command(
            name = "list",
            description = "List all topics.",
            footerHeading = "%nExamples:%n",
            footer = {
                "  tidemark topic list",
                "  tidemark topic list -o name",
                "  tidemark topic list -o json -b 10.0.0.1:9092"
            })
    static final class ListAll implements Callable<Integer> {
        private static final Listing<Metadata.Topic> LISTING = Listing.<Metadata.Topic>of(
                        ListAll::json, Metadata.Topic::name)
                .text("NAME", Metadata.Topic::name)
                .number("PARTITIONS", topic -> topic.partitions().size())
                .number("REPLICATION", ListAll::replicas);

        @Mixin
        private ClusterOptions cluster = new ClusterOptions();

        @Mixin
        private OutputOption output = new OutputOption();

        @Override
        public Integer call() {
            Metadata metadata = cluster.ask("cannot list topics", admin -> admin.describeCluster());
            output.output().list(LISTING, metadata.topics().values());
            return ExitCode.OK;
        }

        private static int replicas(Metadata.Topic topic) {
            return topic.partitions().values().stream()
                    .mapToInt(partition -> partition.replicas().size())
                    .max()
                    .orElse(0);
        }

        private static JsonObject json(Metadata.Topic topic) {
            JsonObject json = new JsonObject();
            json.addProperty("name", topic.name());
            json.addProperty("topicId", topic.topicId());
            json.addProperty("partitions", topic.partitions().size());
            json.addProperty("replicationFactor", replicas(topic));
            return json;
        }
    }

    /** Deletes a topic. */
    @Command(
            name = "delete",
            description = "Delete a topic and its records. Asks on a terminal; elsewhere it needs --yes.",
            footerHeading = "%nExamples:%n",
            footer = {"  tidemark topic delete orders", "  tidemark topic delete orders --yes"})
    static final class Delete implements Callable<Integer> {
        @Mixin
        private ClusterOptions cluster = new ClusterOptions();

        @Mixin
        private OutputOption output = new OutputOption();

        @Mixin
        private Confirmation confirmation = new Confirmation();

        @Parameters(paramLabel = "NAME", description = "name of the topic")
        private String name = "";

        @Override
        public Integer call() {
            String what = "cannot delete topic " + name;
            String id = new TopicLookup(cluster, what).find(name).topicId();
            confirmation.require(
                    name, "All records of " + name + " will be gone.", "topic " + name + " is not deleted");
            cluster.ask(what, admin -> admin.deleteTopic(name));
            JsonObject json = new JsonObject();
            json.addProperty("name", name);
            json.addProperty("topicId", id);
            output.output().sentence(json, name, "deleted topic " + name);
            return ExitCode.OK;
        }
    }
}
