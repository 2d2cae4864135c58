package io.tidemark.cli.topic;

import com.google.gson.JsonObject;
import io.tidemark.cli.ClusterOptions;
import io.tidemark.cli.ExitCode;
import io.tidemark.cli.Listing;
import io.tidemark.cli.OutputOption;
import io.tidemark.client.net.Metadata;
import io.tidemark.model.Endpoint;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code tidemark broker}. */
@Command(
        name = "broker",
        description = "Show brokers.",
        footerHeading = "%nExamples:%n",
        footer = {"  tidemark broker list", "  tidemark broker list -o json -b 10.0.0.1:9092,10.0.0.2:9092"},
        subcommands = {BrokerCommand.ListAll.class})
public final class BrokerCommand {
    /** A broker and what it does. */
    private record Row(Metadata.Broker broker, long leads, boolean controller) {}

    /** Lists live brokers. */
    @Command(
            name = "list",
            description = "List live brokers, how many partitions each leads, and which is the controller.",
            footerHeading = "%nExamples:%n",
            footer = {"  tidemark broker list", "  tidemark broker list -o name | wc -l"})
    static final class ListAll implements Callable<Integer> {
        private static final Listing<Row> LISTING = Listing.<Row>of(
                        ListAll::json, row -> Integer.toString(row.broker().id()))
                .number("ID", row -> row.broker().id())
                .text("ADDRESS", row -> row.broker().client().toString())
                .text("HTTP", row -> orDash(row.broker().http()))
                .text(
                        "RACK",
                        row -> row.broker().rack().isEmpty()
                                ? "-"
                                : row.broker().rack())
                .number("LEADS", Row::leads)
                .text("ROLE", row -> row.controller() ? "controller" : "-");

        @Mixin
        private ClusterOptions cluster = new ClusterOptions();

        @Mixin
        private OutputOption output = new OutputOption();

        @Override
        public Integer call() {
            Metadata metadata = cluster.ask("cannot list brokers", admin -> admin.describeCluster());
            List<Row> rows = metadata.brokers().values().stream()
                    .map(broker -> new Row(broker, led(metadata, broker.id()), broker.id() == metadata.controllerId()))
                    .toList();
            output.output().list(LISTING, rows);
            return ExitCode.OK;
        }

        private static long led(Metadata metadata, int broker) {
            return metadata.topics().values().stream()
                    .flatMap(topic -> topic.partitions().values().stream())
                    .filter(partition -> partition.leader() == broker)
                    .count();
        }

        private static String orDash(@Nullable Endpoint address) {
            return address == null ? "-" : address.toString();
        }

        private static JsonObject json(Row row) {
            Endpoint http = row.broker().http();
            JsonObject json = new JsonObject();
            json.addProperty("id", row.broker().id());
            json.addProperty("address", row.broker().client().toString());
            json.addProperty("httpAddress", http == null ? null : http.toString());
            json.addProperty("rack", row.broker().rack());
            json.addProperty("controller", row.controller());
            json.addProperty("leaders", row.leads());
            return json;
        }
    }
}
