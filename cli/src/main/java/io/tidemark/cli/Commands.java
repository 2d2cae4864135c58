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
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;

/**
 * The commands below {@code tidemark}. Reading the options of all of them takes longer than most of them run, so only the
 * one that was called is read whole.
 */
final class Commands {
    private static final List<Class<?>> ALL = List.of(
            DemoCommand.class,
            DevCommand.class,
            TopicCommand.class,
            PartitionCommand.class,
            BrokerCommand.class,
            ClusterCommand.class,
            ProduceCommand.class,
            ConsumeCommand.class,
            PerfCommand.class,
            LogCommand.class,
            ErrorCommand.class,
            CompletionCommand.class);

    private Commands() {}

    /** In the order of the help. */
    static List<Class<?>> all() {
        return ALL;
    }

    static String nameOf(Class<?> type) {
        return about(type).name();
    }

    /** The whole command if it is the one that is called; else its name and description, enough for a list of commands. */
    static CommandLine asFarAs(String calledName, Class<?> type) {
        Command about = about(type);
        if (about.name().equals(calledName)) {
            return new CommandLine(type);
        }
        CommandSpec sketch = CommandSpec.create();
        sketch.usageMessage().description(about.description());
        return new CommandLine(sketch);
    }

    private static Command about(Class<?> type) {
        Command about = type.getAnnotation(Command.class);
        if (about == null) {
            throw new IllegalStateException(type + " is no command");
        }
        return about;
    }
}
