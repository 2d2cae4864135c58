package io.tidemark.cli;

import java.io.PrintWriter;
import java.util.Arrays;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The {@code tidemark} command line. */
@Command(
        name = "tidemark",
        description = "Tidemark, a replicated commit log.",
        mixinStandardHelpOptions = true,
        scope = CommandLine.ScopeType.INHERIT,
        versionProvider = Version.class,
        sortOptions = false,
        usageHelpAutoWidth = true,
        footerHeading = "%nExamples:%n",
        footer = {
            "  tidemark demo",
            "  tidemark dev start --brokers 3 --dir /tmp/tm",
            "  tidemark topic list -b 127.0.0.1:9092",
            "",
            "Every command explains itself with --help. TIDEMARK_BOOTSTRAP stands for -b.",
            "Exit codes: 0 done, 1 failed, 2 the answer is no, 3 the time ran out,",
            "4 refused, 5 cannot connect, 64 wrong usage, 130 interrupted."
        })
public final class Tidemark implements Runnable {
    private static final String HELP = "help";

    @Spec
    private CommandSpec spec = CommandSpec.create();

    private Tidemark() {}

    /** Ends the process with the command's exit code. */
    public static void main(String[] arguments) {
        System.exit(execute(arguments));
    }

    /** Runs a command in this process, and answers its exit code. */
    public static int execute(String... arguments) {
        String[] words = arguments.length > 0 && arguments[0].equals(HELP) ? helpOf(arguments) : arguments;
        CommandLine line = commandLine(words.length > 0 ? words[0] : "");
        int code = line.execute(words);
        if (code == ExitCode.OK && System.out.checkError()) {
            line.getErr().println("tidemark: standard output could not be written to its end");
            return ExitCode.FAILED;
        }
        return code;
    }

    /** The command line with all its commands. */
    public static CommandLine commandLine() {
        CommandLine line = empty();
        Commands.ALL.forEach(entry -> line.addSubcommand(entry.name(), entry.whole()));
        return configured(line);
    }

    /** The command line as far as these words need it: other commands have a name and a description only. */
    static CommandLine commandLine(String firstWord) {
        CommandLine line = empty();
        for (Commands.Entry entry : Commands.ALL) {
            line.addSubcommand(entry.name(), entry.name().equals(firstWord) ? entry.whole() : entry.sketch());
        }
        return configured(line);
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "a command is needed");
    }

    private static CommandLine empty() {
        return new CommandLine(new Tidemark());
    }

    private static CommandLine configured(CommandLine line) {
        line.setCaseInsensitiveEnumValuesAllowed(true);
        line.setParameterExceptionHandler(Tidemark::onBadUsage);
        line.setExecutionExceptionHandler((failure, command, parsed) -> Failures.report(failure, command));
        return line;
    }

    /** {@code help topic create} is {@code topic create --help}. */
    private static String[] helpOf(String[] arguments) {
        String[] words = Arrays.copyOfRange(arguments, 1, arguments.length + 1);
        words[words.length - 1] = "--help";
        return words;
    }

    private static int onBadUsage(ParameterException failure, String... arguments) {
        CommandLine command = failure.getCommandLine();
        PrintWriter err = command.getErr();
        String name = command.getCommandSpec().qualifiedName();
        err.println(name + ": " + failure.getMessage());
        if (!CommandLine.UnmatchedArgumentException.printSuggestions(failure, err)) {
            err.println("  next: " + name + " --help");
        }
        err.flush();
        return ExitCode.USAGE;
    }
}
