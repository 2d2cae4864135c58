package io.tidemark.cli.topic;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import io.tidemark.cli.ClusterOptions;
import io.tidemark.cli.ExitCode;
import io.tidemark.cli.Listing;
import io.tidemark.cli.OutputOption;
import io.tidemark.cli.TopicLookup;
import io.tidemark.client.net.Metadata;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code tidemark topic describe}. */
@Command(
        name = "describe",
        description = "Show a topic's settings, leaders and in-sync replicas, and which partitions are in trouble.",
        footerHeading = "%nExamples:%n",
        footer = {"  tidemark topic describe orders", "  tidemark topic describe orders -o json"})
final class TopicDescribe implements Callable<Integer> {
    @Mixin
    private ClusterOptions cluster = new ClusterOptions();

    @Mixin
    private OutputOption output = new OutputOption();

    @Parameters(paramLabel = "NAME", description = "name of the topic")
    private String name = "";

    @Override
    public Integer call() {
        Metadata.Topic topic = new TopicLookup(cluster, "cannot describe topic " + name).find(name);
        List<String> head = new ArrayList<>();
        head.add("topic " + topic.name() + ", id " + topic.topicId());
        topic.configs().forEach((key, value) -> head.add("  " + key + "=" + value));
        output.output()
                .tree(
                        json(topic),
                        head,
                        listing(topic.name()),
                        topic.partitions().values());
        return ExitCode.OK;
    }

    static Listing<Metadata.Partition> listing(String topic) {
        return Listing.<Metadata.Partition>of(TopicDescribe::json, partition -> topic + "/" + partition.partition())
                .number("PARTITION", Metadata.Partition::partition)
                .amount("LEADER", partition -> partition.leader() < 0 ? "none" : Integer.toString(partition.leader()))
                .number("EPOCH", Metadata.Partition::leaderEpoch)
                .text("REPLICAS", partition -> joined(partition.replicas()))
                .text("ISR", partition -> joined(partition.isr()))
                .text("ELIGIBLE", partition -> joined(partition.eligible()))
                .text("STATE", TopicDescribe::state);
    }

    static String state(Metadata.Partition partition) {
        if (partition.isOffline()) {
            return "offline";
        }
        if (partition.isUnderMinIsr()) {
            return "below min.insync.replicas=" + partition.minIsr();
        }
        return partition.isUnderReplicated() ? "under-replicated" : "ok";
    }

    static String joined(List<Integer> ids) {
        return ids.isEmpty() ? "-" : ids.stream().map(Object::toString).collect(Collectors.joining(","));
    }

    static JsonObject json(Metadata.Topic topic) {
        JsonObject configs = new JsonObject();
        topic.configs().forEach(configs::addProperty);
        JsonArray partitions = new JsonArray();
        topic.partitions().values().forEach(partition -> partitions.add(json(partition)));
        JsonObject json = new JsonObject();
        json.addProperty("name", topic.name());
        json.addProperty("topicId", topic.topicId());
        json.add("configs", configs);
        json.add("partitions", partitions);
        return json;
    }

    static JsonObject json(Metadata.Partition partition) {
        JsonObject json = new JsonObject();
        json.addProperty("partition", partition.partition());
        json.addProperty("leader", partition.leader());
        json.addProperty("leaderEpoch", partition.leaderEpoch());
        json.addProperty("partitionEpoch", partition.partitionEpoch());
        json.add("replicas", array(partition.replicas()));
        json.add("isr", array(partition.isr()));
        json.add("eligible", array(partition.eligible()));
        return json;
    }

    private static JsonArray array(List<Integer> ids) {
        JsonArray array = new JsonArray();
        ids.forEach(array::add);
        return array;
    }
}
