package io.tidemark.cli;

import io.tidemark.runtime.Clock;
import io.tidemark.runtime.SystemClock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code --progress} and {@code --no-progress} of commands that may take long. */
public final class ProgressOption {
    @Spec(Spec.Target.MIXEE)
    private CommandSpec command = CommandSpec.create();

    @Option(
            names = "--progress",
            negatable = true,
            description =
                    "say on standard error how the work goes, or do not; default: yes for tables, no for programs")
    private @Nullable Boolean wanted;

    /** How much is said beside this output. */
    public Progress.Mode mode(Output output) {
        return mode(wanted, output, Terminals.current());
    }

    /**
     * Begins to say how work on records goes.
     *
     * @param verb what happens to records, as "acknowledged"
     */
    public Progress start(Progress.Mode mode, String verb, Supplier<Progress.Sample> sample) {
        Clock clock = new SystemClock();
        ProgressLine line = new ProgressLine(verb, clock.monotonicNs());
        return start(mode, () -> line.text(sample.get(), clock.monotonicNs()));
    }

    /** Begins to say how work goes, in whatever words. */
    public Progress start(Progress.Mode mode, Supplier<String> line) {
        return Progress.start(mode, command.commandLine().getErr(), line);
    }

    static Progress.Mode mode(@Nullable Boolean wanted, Output output, Terminals terminals) {
        boolean shown = wanted == null ? !output.isForPrograms() : wanted;
        if (!shown) {
            return Progress.Mode.NONE;
        }
        return terminals.error() ? Progress.Mode.LIVE : Progress.Mode.PLAIN;
    }
}
