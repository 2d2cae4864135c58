package io.tidemark.cli.errors;

import com.google.gson.JsonObject;
import io.tidemark.cli.CommandFailure;
import io.tidemark.cli.ExitCode;
import io.tidemark.cli.Facts;
import io.tidemark.cli.Listing;
import io.tidemark.cli.Output;
import io.tidemark.cli.OutputOption;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code tidemark error}: asks nobody. */
@Command(
        name = "error",
        description = {"Explain an error code.", "Tells what it means, whether the work was done, and what to do."},
        footerHeading = "%nExamples:%n",
        footer = {"  tidemark error NOT_ENOUGH_REPLICAS", "  tidemark error"})
public final class ErrorCommand implements Callable<Integer> {
    private static final Listing<ErrorGuide.Entry> LISTING = Listing.<ErrorGuide.Entry>of(
                    ErrorCommand::json, entry -> entry.code().name())
            .text("NAME", entry -> entry.code().name())
            .text("OUTCOME", entry -> entry.code().outcome().name())
            .text("MEANING", ErrorGuide.Entry::meaning);

    @Parameters(arity = "0..1", paramLabel = "NAME", description = "name of the error; default: all of them")
    private @Nullable String name;

    @Mixin
    private OutputOption output = new OutputOption();

    @Override
    public Integer call() {
        Output out = output.output();
        String wanted = name;
        if (wanted == null) {
            out.list(LISTING, ErrorGuide.all());
            return ExitCode.OK;
        }
        ErrorGuide.Entry entry = ErrorGuide.named(wanted).orElseThrow(() -> unknown(wanted));
        out.facts(
                json(entry),
                new Facts(entry.code().name())
                        .with("error", entry.code().name())
                        .with("meaning", entry.meaning())
                        .with("outcome", entry.outcome())
                        .with("next", entry.next()));
        return ExitCode.OK;
    }

    private static CommandFailure unknown(String name) {
        String meant = ErrorGuide.closestTo(name)
                .map(closest -> "; did you mean " + closest + "?")
                .orElse("");
        return new CommandFailure(
                ExitCode.USAGE, "there is no error " + name + meant, "tidemark error lists all of them");
    }

    private static JsonObject json(ErrorGuide.Entry entry) {
        JsonObject json = new JsonObject();
        json.addProperty("name", entry.code().name());
        json.addProperty("outcome", entry.code().outcome().name());
        json.addProperty("meaning", entry.meaning());
        json.addProperty("next", entry.next());
        return json;
    }
}
