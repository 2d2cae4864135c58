package io.tidemark.cli.start;

import io.tidemark.cli.Tidemark;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Runs the commands that people wait for, against a {@link CannedBroker} in this process, so that a JVM started with {@code
 * -XX:DumpLoadedClassList} lists the classes that they need. Prints nothing; ends by itself.
 */
public final class ArchiveTraining {
    private static final List<String> COMMANDS = List.of(
            "--help",
            "help topic create",
            "topic list",
            "topic list -o json",
            "topic list -o name",
            "topic describe " + CannedBroker.TOPIC,
            "topic describe " + CannedBroker.TOPIC + " -o json",
            "broker list",
            "cluster info",
            "error NOT_CONTROLLER",
            "completion bash",
            "dev status --dir /nonexistent",
            "log dump /nonexistent.log",
            "nonsense");

    private ArchiveTraining() {}

    /** Takes no arguments. */
    public static void main(String[] arguments) throws IOException {
        PrintStream nowhere = new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
        System.setOut(nowhere);
        System.setErr(nowhere);
        try (CannedBroker broker = new CannedBroker()) {
            for (String command : COMMANDS) {
                Tidemark.execute((command + bootstrap(command, broker)).split(" ", -1));
            }
        }
    }

    private static String bootstrap(String command, CannedBroker broker) {
        boolean asks = command.startsWith("topic") || command.startsWith("broker") || command.startsWith("cluster");
        return asks ? " -b " + broker.address() : "";
    }
}
