package io.tidemark.cli.topic;

import com.google.gson.JsonObject;
import io.tidemark.cli.ClusterOptions;
import io.tidemark.cli.CommandFailure;
import io.tidemark.cli.ExitCode;
import io.tidemark.cli.OutputOption;
import io.tidemark.cli.TopicLookup;
import io.tidemark.client.admin.Admin;
import io.tidemark.client.net.Metadata;
import io.tidemark.model.TopicPartition;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code tidemark partition}. */
@Command(
        name = "partition",
        description = "Find and change single partitions.",
        footerHeading = "%nExamples:%n",
        footer = {"  tidemark partition list --under-replicated", "  tidemark partition transfer-leader orders/0 2"},
        subcommands = {PartitionList.class, PartitionCommand.TransferLeader.class})
public final class PartitionCommand {
    /** Moves leadership. */
    @Command(
            name = "transfer-leader",
            description = "Make an in-sync replica the leader.",
            footerHeading = "%nExamples:%n",
            footer = {
                "  tidemark partition transfer-leader orders/0 2",
                "  tidemark partition transfer-leader orders/0 2 -o json"
            })
    static final class TransferLeader implements Callable<Integer> {
        @Mixin
        private ClusterOptions cluster = new ClusterOptions();

        @Mixin
        private OutputOption output = new OutputOption();

        @Parameters(index = "0", paramLabel = "TOPIC/PARTITION", description = "which partition")
        private String partition = "";

        @Parameters(index = "1", paramLabel = "ID", description = "broker that is to lead")
        private int broker;

        @Override
        public Integer call() {
            TopicPartition parsed = parse(partition);
            String what = "cannot make broker " + broker + " the leader of " + partition;
            int epoch = cluster.talk(admin -> transfer(admin, parsed, what));
            JsonObject json = new JsonObject();
            json.addProperty("topic", parsed.topic());
            json.addProperty("partition", parsed.partition());
            json.addProperty("leader", broker);
            json.addProperty("leaderEpoch", epoch);
            output.output()
                    .sentence(
                            json, partition, "broker " + broker + " leads " + partition + " in leader epoch " + epoch);
            return ExitCode.OK;
        }

        private int transfer(Admin admin, TopicPartition wanted, String what) {
            Metadata.Topic topic = new TopicLookup(cluster, what).find(admin, wanted.topic());
            if (!topic.partitions().containsKey(wanted.partition())) {
                throw TopicLookup.noPartition(what, topic, wanted.partition());
            }
            return cluster.answer(what, admin.transferLeader(wanted, broker));
        }

        private static TopicPartition parse(String text) {
            int slash = text.lastIndexOf('/');
            try {
                return new TopicPartition(
                        text.substring(0, Math.max(0, slash)), Integer.parseInt(text.substring(slash + 1)));
            } catch (IllegalArgumentException e) {
                throw new CommandFailure(
                        ExitCode.USAGE,
                        "expected TOPIC/PARTITION, not \"" + text + "\"",
                        "tidemark partition transfer-leader orders/0 2, for example");
            }
        }
    }
}
