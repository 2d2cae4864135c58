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
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code tidemark partition list} (OPERATIONS 1.2). */
@Command(
        name = "list",
        description = {
            "List partitions: all, or those in the conditions that are named.",
            "With several conditions a partition is shown that is in one of them."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  tidemark partition list --under-replicated",
            "  tidemark partition list --offline --under-min-isr -o name",
            "  tidemark partition list --topic orders -o json"
        })
final class PartitionList implements Callable<Integer> {
    /** What a partition may be in. The names are part of the JSON. */
    enum Condition {
        OFFLINE("offline"),
        UNDER_MIN_ISR("under-min-isr"),
        AT_MIN_ISR("at-min-isr"),
        UNDER_REPLICATED("under-replicated"),
        NOT_PREFERRED("not-preferred");

        private final String word;

        Condition(String word) {
            this.word = word;
        }

        boolean holds(Metadata.Partition partition) {
            return switch (this) {
                case OFFLINE -> partition.isOffline();
                case UNDER_MIN_ISR -> partition.isUnderMinIsr();
                case AT_MIN_ISR -> partition.isAtMinIsr();
                case UNDER_REPLICATED -> partition.isUnderReplicated();
                case NOT_PREFERRED -> partition.isNotPreferred();
            };
        }
    }

    /** A partition of a topic. */
    record Row(String topic, Metadata.Partition partition) {
        String name() {
            return topic + "/" + partition.partition();
        }

        boolean isIn(List<Condition> any) {
            return any.isEmpty() || any.stream().anyMatch(condition -> condition.holds(partition));
        }
    }

    private static final Listing<Row> LISTING = Listing.<Row>of(PartitionList::json, Row::name)
            .text("PARTITION", Row::name)
            .amount("LEADER", row -> row.partition().isOffline() ? "none" : Integer.toString(leader(row)))
            .number("EPOCH", row -> row.partition().leaderEpoch())
            .text("REPLICAS", row -> TopicDescribe.joined(row.partition().replicas()))
            .text("ISR", row -> TopicDescribe.joined(row.partition().isr()))
            .text("ELIGIBLE", row -> TopicDescribe.joined(row.partition().eligible()))
            .text("STATE", row -> TopicDescribe.state(row.partition()));

    @Mixin
    private ClusterOptions cluster = new ClusterOptions();

    @Mixin
    private OutputOption output = new OutputOption();

    @Option(names = "--topic", paramLabel = "NAME", description = "of this topic alone; default: of all topics")
    private String topic = "";

    @Option(names = "--offline", description = "that nobody leads; default: any")
    private boolean offline;

    @Option(names = "--under-min-isr", description = "with too few in sync for acks=all; default: any")
    private boolean underMinIsr;

    @Option(names = "--at-min-isr", description = "with just enough in sync for acks=all; default: any")
    private boolean atMinIsr;

    @Option(names = "--under-replicated", description = "with replicas out of sync; default: any")
    private boolean underReplicated;

    @Option(names = "--not-preferred", description = "led by another than the first replica; default: any")
    private boolean notPreferred;

    @Override
    public Integer call() {
        Metadata metadata = cluster.ask("cannot list partitions", admin -> admin.describeCluster());
        if (!topic.isEmpty() && !metadata.topics().containsKey(topic)) {
            new TopicLookup(cluster, "cannot list partitions").find(topic);
        }
        output.output().list(LISTING, rows(metadata, topic, wanted()));
        return ExitCode.OK;
    }

    /** Partitions in the order of their names; an empty {@code topic} or no condition is no restriction. */
    static List<Row> rows(Metadata metadata, String topic, List<Condition> any) {
        return metadata.topics().values().stream()
                .filter(each -> topic.isEmpty() || each.name().equals(topic))
                .flatMap(each -> each.partitions().values().stream().map(partition -> new Row(each.name(), partition)))
                .filter(row -> row.isIn(any))
                .toList();
    }

    private List<Condition> wanted() {
        List<Condition> wanted = new ArrayList<>();
        add(wanted, offline, Condition.OFFLINE);
        add(wanted, underMinIsr, Condition.UNDER_MIN_ISR);
        add(wanted, atMinIsr, Condition.AT_MIN_ISR);
        add(wanted, underReplicated, Condition.UNDER_REPLICATED);
        add(wanted, notPreferred, Condition.NOT_PREFERRED);
        return wanted;
    }

    private static void add(List<Condition> wanted, boolean asked, Condition condition) {
        if (asked) {
            wanted.add(condition);
        }
    }

    private static int leader(Row row) {
        return row.partition().leader();
    }

    static JsonObject json(Row row) {
        JsonObject json = new JsonObject();
        json.addProperty("topic", row.topic());
        TopicDescribe.json(row.partition()).entrySet().forEach(entry -> json.add(entry.getKey(), entry.getValue()));
        json.addProperty("minIsr", row.partition().minIsr());
        JsonArray conditions = new JsonArray();
        for (Condition condition : Condition.values()) {
            if (condition.holds(row.partition())) {
                conditions.add(condition.word);
            }
        }
        json.add("conditions", conditions);
        return json;
    }
}
