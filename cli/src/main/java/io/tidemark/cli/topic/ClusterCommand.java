package io.tidemark.cli.topic;

import com.google.gson.JsonObject;
import io.tidemark.cli.ClusterOptions;
import io.tidemark.cli.ExitCode;
import io.tidemark.cli.Output;
import io.tidemark.cli.OutputOption;
import io.tidemark.client.net.Metadata;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code tidemark cluster}. */
@Command(
        name = "cluster",
        description = "Show the cluster.",
        subcommands = {ClusterCommand.Info.class})
public final class ClusterCommand {
    /** Shows the cluster at a glance. */
    @Command(name = "info", description = "Show the cluster at a glance.")
    static final class Info implements Callable<Integer> {
        @Mixin
        private ClusterOptions cluster = new ClusterOptions();

        @Mixin
        private OutputOption output = new OutputOption();

        @Override
        public Integer call() {
            Metadata metadata = cluster.ask("cannot describe the cluster", admin -> admin.describeCluster());
            long partitions = count(metadata, partition -> true);
            long offline = count(metadata, partition -> partition.leader() < 0);
            long behind = count(
                    metadata,
                    partition -> partition.isr().size() < partition.replicas().size());
            Output out = output.output();
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
            if (out.isJson()) {
                out.json(json);
            } else {
                List<List<String>> rows = json.entrySet().stream()
                        .map(entry -> List.of(entry.getKey(), entry.getValue().getAsString()))
                        .toList();
                out.table(List.of("CLUSTER", ""), rows);
            }
            return ExitCode.OK;
        }

        private static long count(Metadata metadata, java.util.function.Predicate<Metadata.Partition> test) {
            return metadata.topics().values().stream()
                    .flatMap(topic -> topic.partitions().values().stream())
                    .filter(test)
                    .count();
        }
    }
}
