package io.tidemark.sim.cli;

import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The {@code tidemark-sim} command line. */
@Command(
        name = SimMain.NAME,
        description = "Whole clusters in simulated time, with faults that a seed decides.",
        mixinStandardHelpOptions = true,
        version = "built from this repository",
        scope = CommandLine.ScopeType.INHERIT,
        sortOptions = false,
        usageHelpAutoWidth = true,
        footerHeading = "%nExamples:%n",
        footer = {
            "  tidemark-sim run --seeds 1..100000",
            "  tidemark-sim replay 4711 --from 8000",
            "  tidemark-sim shrink 4711 -f smaller.sim",
            "  tidemark-sim scenario I7 --without JOIN_FROM_EPOCH_START",
            "  tidemark-sim faults --only truncation -o markdown",
            "",
            "Exit codes: 0 nothing was violated, 1 something was, 2 the runs showed too little,",
            "64 wrong usage."
        },
        subcommands = {
            RunCommand.class,
            ReplayCommand.class,
            ShrinkCommand.class,
            FaultsCommand.class,
            ScenarioCommand.class
        })
public final class SimMain implements Runnable {
    static final String NAME = "tidemark-sim";

    static final int CLEAN = 0;
    static final int VIOLATED = 1;
    static final int SHOWED_TOO_LITTLE = 2;
    static final int USAGE = 64;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    private SimMain() {}

    /** Ends the process with the command's exit code. */
    public static void main(String[] arguments) {
        System.exit(commandLine().execute(arguments));
    }

    /** The command line with all its commands; for tests, which give it other streams. */
    static CommandLine commandLine() {
        CommandLine line = new CommandLine(new SimMain());
        line.setCaseInsensitiveEnumValuesAllowed(true);
        line.setParameterExceptionHandler(SimMain::onBadUsage);
        return line;
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "a command is needed");
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
        return USAGE;
    }
}
