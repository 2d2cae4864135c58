package io.tidemark.cli;

import io.tidemark.cli.completion.CompletionCommand;
import io.tidemark.cli.demo.DemoCommand;
import io.tidemark.cli.dev.DevCommand;
import io.tidemark.cli.errors.ErrorCommand;
import io.tidemark.cli.log.LogCommand;
import io.tidemark.cli.perf.PerfCommand;
import io.tidemark.cli.records.ConsumeCommand;
import io.tidemark.cli.records.ProduceCommand;
import io.tidemark.cli.topic.BrokerCommand;
import io.tidemark.cli.topic.ClusterCommand;
import io.tidemark.cli.topic.PartitionCommand;
import io.tidemark.cli.topic.TopicCommand;
import java.util.List;
import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/**
 * The commands below {@code tidemark}, in the order of the help. Loading all their classes and reading all their options
 * takes longer than most of them run, so that is done for the one that was called alone.
 */
final class Commands {
    /**
     * A command.
     *
     * @param summary its line in the list of commands
     * @param type loads the class
     */
    record Entry(String name, String summary, Supplier<Class<?>> type) {
        /** The command with its options and its own commands. */
        CommandLine whole() {
            return new CommandLine(type.get());
        }

        /** Enough for a list of commands. */
        CommandLine sketch() {
            CommandSpec sketch = CommandSpec.create();
            sketch.usageMessage().description(summary);
            return new CommandLine(sketch);
        }
    }

    static final List<Entry> ALL = List.of(
            new Entry("demo", "Show that a leader's death loses nothing.", () -> DemoCommand.class),
            new Entry("dev", "A local cluster of real processes, in the background.", () -> DevCommand.class),
            new Entry("topic", "Create, list, describe, change and delete topics.", () -> TopicCommand.class),
            new Entry("partition", "Find and change single partitions.", () -> PartitionCommand.class),
            new Entry("broker", "Show brokers.", () -> BrokerCommand.class),
            new Entry("cluster", "Show the cluster and whether it is well.", () -> ClusterCommand.class),
            new Entry("produce", "Write each line of a file as a record.", () -> ProduceCommand.class),
            new Entry("consume", "Read committed records of a topic.", () -> ConsumeCommand.class),
            new Entry("perf", "Measure producers and consumers.", () -> PerfCommand.class),
            new Entry("log", "Look into log files, without a cluster.", () -> LogCommand.class),
            new Entry("error", "Explain an error code.", () -> ErrorCommand.class),
            new Entry("completion", "Print a completion script for a shell.", () -> CompletionCommand.class));

    private Commands() {}
}
