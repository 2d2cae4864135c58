package io.tidemark.cli.topic;

import com.google.gson.JsonObject;
import io.tidemark.cli.ClusterOptions;
import io.tidemark.cli.ExitCode;
import io.tidemark.cli.Facts;
import io.tidemark.cli.OutputOption;
import io.tidemark.cli.health.HealthCommand;
import io.tidemark.client.net.Metadata;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code tidemark cluster}. */
@Command(
        name = "cluster",
        description = "Show the cluster and whether it is well.",
        footerHeading = "%nExamples:%n",
        footer = {"  tidemark cluster info", "  tidemark cluster health", "  tidemark cluster health --wait-healthy"},
        subcommands = {ClusterCommand.Info.class, HealthCommand.class})
public final class ClusterCommand {
    /** Shows the cluster at a glance. */
    @Command(
            name = "info",
            description = "Show the cluster at a glance: its controller, its size, and what is in trouble.",
            footerHeading = "%nExamples:%n",
            footer = {"  tidemark cluster info", "  tidemark cluster info -o json -b 10.0.0.1:9092"})
    static final class Info implements Callable<Integer> {
        @Mixin
        private ClusterOptions cluster = new ClusterOptions();

        @Mixin
        private OutputOption output = new OutputOption();

        @Override
        public Integer call() {
            Metadata metadata = cluster.ask("cannot describe the cluster", admin -> admin.describeCluster());
            long partitions = count(metadata, partition -> true);
            long offline = count(metadata, Metadata.Partition::isOffline);
            long behind = count(metadata, Metadata.Partition::isUnderReplicated);
            JsonObject json = new JsonObject();
            json.addProperty("clusterId", metadata.clusterId());
            json.addProperty("controller", metadata.controllerId());
            json.addProperty("controllerEpoch", metadata.controllerEpoch());
            json.addProperty("answeredBy", metadata.answeredBy());
            json.addProperty("brokers", metadata.brokers().size());
            json.addProperty("topics", metadata.topics().size());
            json.addProperty("partitions", partitions);
            json.addProperty("offlinePartitions", offline);
            json.addProperty("underReplicatedPartitions", behind);
            Facts facts = new Facts(metadata.clusterId())
                    .with("cluster id", metadata.clusterId())
                    .with("controller", controller(metadata))
                    .with("answered by", "broker " + metadata.answeredBy())
                    .with("brokers", metadata.brokers().size())
                    .with("topics", metadata.topics().size())
                    .with("partitions", partitions)
                    .with("offline partitions", offline)
                    .with("under-replicated partitions", behind);
            output.output().facts(json, facts);
            return ExitCode.OK;
        }

        private static String controller(Metadata metadata) {
            return metadata.controllerId() < 0
                    ? "none"
                    : "broker " + metadata.controllerId() + " (epoch " + metadata.controllerEpoch() + ")";
        }

        private static long count(Metadata metadata, Predicate<Metadata.Partition> test) {
            return metadata.topics().values().stream()
                    .flatMap(topic -> topic.partitions().values().stream())
                    .filter(test)
                    .count();
        }
    }
}
