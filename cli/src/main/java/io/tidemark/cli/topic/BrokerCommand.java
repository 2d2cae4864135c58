package io.tidemark.cli.topic;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import io.tidemark.cli.ClusterOptions;
import io.tidemark.cli.ExitCode;
import io.tidemark.cli.Output;
import io.tidemark.cli.OutputOption;
import io.tidemark.client.net.Metadata;
import io.tidemark.model.Endpoint;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code tidemark broker}. */
@Command(
        name = "broker",
        description = "Show brokers.",
        subcommands = {BrokerCommand.ListAll.class})
public final class BrokerCommand {
    /** Lists live brokers. */
    @Command(name = "list", description = "List live brokers.")
    static final class ListAll implements Callable<Integer> {
        @Mixin
        private ClusterOptions cluster = new ClusterOptions();

        @Mixin
        private OutputOption output = new OutputOption();

        @Override
        public Integer call() {
            Metadata metadata = cluster.ask("cannot list brokers", admin -> admin.describeCluster());
            JsonArray json = new JsonArray();
            List<List<String>> rows = new ArrayList<>();
            for (Metadata.Broker broker : metadata.brokers().values()) {
                long leads = metadata.topics().values().stream()
                        .flatMap(topic -> topic.partitions().values().stream())
                        .filter(partition -> partition.leader() == broker.id())
                        .count();
                boolean controller = broker.id() == metadata.controllerId();
                Endpoint http = broker.http();
                JsonObject entry = new JsonObject();
                entry.addProperty("id", broker.id());
                entry.addProperty("address", broker.client().toString());
                entry.addProperty("httpAddress", http == null ? null : http.toString());
                entry.addProperty("rack", broker.rack());
                entry.addProperty("controller", controller);
                entry.addProperty("leaders", leads);
                json.add(entry);
                rows.add(List.of(
                        Integer.toString(broker.id()),
                        broker.client().toString(),
                        broker.rack().isEmpty() ? "-" : broker.rack(),
                        Long.toString(leads),
                        controller ? "controller" : ""));
            }
            Output out = output.output();
            if (out.isJson()) {
                out.json(json);
            } else {
                out.table(List.of("ID", "ADDRESS", "RACK", "LEADS", ""), rows);
            }
            return ExitCode.OK;
        }
    }
}
