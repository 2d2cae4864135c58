package io.tidemark.cli;

import io.tidemark.client.Tidemark;
import io.tidemark.client.TidemarkException;
import io.tidemark.client.admin.Admin;
import io.tidemark.model.Endpoint;
import io.tidemark.model.ErrorCode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import picocli.CommandLine.Option;

/** How a command reaches the cluster. */
public final class ClusterOptions {
    @Option(
            names = {"-b", "--bootstrap"},
            defaultValue = "${env:TIDEMARK_BOOTSTRAP:-127.0.0.1:9092}",
            description = "brokers to begin with, host:port separated by commas; default: TIDEMARK_BOOTSTRAP, else"
                    + " 127.0.0.1:9092")
    private String bootstrap = "";

    @Option(
            names = "--timeout",
            defaultValue = "15",
            description = "seconds to wait for an answer; default ${DEFAULT-VALUE}")
    private int timeoutSeconds;

    public List<Endpoint> bootstrap() {
        List<Endpoint> endpoints = new ArrayList<>();
        for (String part : bootstrap.split(",", -1)) {
            try {
                endpoints.add(Endpoint.parse(part.trim()));
            } catch (IllegalArgumentException e) {
                throw new CommandFailure(ExitCode.USAGE, "--bootstrap: " + e.getMessage());
            }
        }
        return endpoints;
    }

    public Duration timeout() {
        return Duration.ofSeconds(timeoutSeconds);
    }

    /** Asks an admin, and turns its failure into one that a person can act on. */
    public <T> T ask(String what, Function<Admin, CompletableFuture<T>> question) {
        try (Admin admin = Tidemark.admin(new Admin.Settings(bootstrap(), timeout()))) {
            return question.apply(admin).join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof TidemarkException failure ? explain(what, failure) : e;
        }
    }

    /** What a failed request means for the person who made it. */
    public CommandFailure explain(String what, TidemarkException failure) {
        if (failure.error() == ErrorCode.BROKER_NOT_AVAILABLE) {
            return new CommandFailure(
                    ExitCode.CANNOT_CONNECT,
                    what + ": no broker answered at " + bootstrap + " (" + failure.getMessage()
                            + "). Is the cluster running, and --bootstrap right?");
        }
        if (failure.error() == ErrorCode.REQUEST_TIMED_OUT) {
            return new CommandFailure(
                    ExitCode.TIMED_OUT,
                    what + ": no answer within " + timeoutSeconds + " s; it may still be done. "
                            + failure.getMessage());
        }
        return new CommandFailure(ExitCode.FAILED, what + ": " + failure.getMessage());
    }
}
