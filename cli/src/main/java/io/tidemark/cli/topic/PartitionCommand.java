package io.tidemark.cli.topic;

import io.tidemark.cli.ClusterOptions;
import io.tidemark.cli.CommandFailure;
import io.tidemark.cli.ExitCode;
import io.tidemark.model.TopicPartition;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code tidemark partition}. */
@Command(
        name = "partition",
        description = "Act on single partitions.",
        subcommands = {PartitionCommand.TransferLeader.class})
public final class PartitionCommand {
    /** Moves leadership. */
    @Command(
            name = "transfer-leader",
            description = "Make an in-sync replica the leader.",
            footer = {"", "Example: tidemark partition transfer-leader orders/0 2"})
    static final class TransferLeader implements Callable<Integer> {
        @Mixin
        private ClusterOptions cluster = new ClusterOptions();

        @Parameters(index = "0", paramLabel = "TOPIC/PARTITION", description = "which partition")
        private String partition = "";

        @Parameters(index = "1", paramLabel = "ID", description = "broker that is to lead")
        private int broker;

        @Override
        public Integer call() {
            TopicPartition parsed = parse(partition);
            int epoch = cluster.ask(
                    "cannot make broker " + broker + " the leader of " + partition,
                    admin -> admin.transferLeader(parsed, broker));
            System.out.println("broker " + broker + " leads " + partition + " in leader epoch " + epoch);
            return ExitCode.OK;
        }

        private static TopicPartition parse(String text) {
            int slash = text.lastIndexOf('/');
            try {
                return new TopicPartition(
                        text.substring(0, Math.max(0, slash)), Integer.parseInt(text.substring(slash + 1)));
            } catch (IllegalArgumentException e) {
                throw new CommandFailure(ExitCode.USAGE, "expected TOPIC/PARTITION, not \"" + text + "\"");
            }
        }
    }
}
