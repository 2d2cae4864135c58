package io.tidemark.cli;

import io.tidemark.cli.errors.Explanation;
import io.tidemark.client.Tidemark;
import io.tidemark.client.TidemarkException;
import io.tidemark.client.admin.Admin;
import io.tidemark.model.Endpoint;
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
            paramLabel = "HOST:PORT,..",
            defaultValue = "${env:TIDEMARK_BOOTSTRAP:-127.0.0.1:9092}",
            description = "brokers to begin with, host:port separated by commas; default: TIDEMARK_BOOTSTRAP, else"
                    + " 127.0.0.1:9092")
    private String bootstrap = "";

    @Option(
            names = "--timeout",
            paramLabel = "SECONDS",
            defaultValue = "15",
            description = "seconds to wait for an answer; default ${DEFAULT-VALUE}")
    private int timeoutSeconds;

    public List<Endpoint> bootstrap() {
        List<Endpoint> endpoints = new ArrayList<>();
        for (String part : bootstrap.split(",", -1)) {
            try {
                endpoints.add(Endpoint.parse(part.trim()));
            } catch (IllegalArgumentException e) {
                throw new CommandFailure(
                        ExitCode.USAGE,
                        "--bootstrap (or TIDEMARK_BOOTSTRAP): " + e.getMessage(),
                        "name brokers as host:port, separated by commas");
            }
        }
        return endpoints;
    }

    public Duration timeout() {
        if (timeoutSeconds < 1) {
            throw new CommandFailure(ExitCode.USAGE, "--timeout is at least 1 second, not " + timeoutSeconds);
        }
        return Duration.ofSeconds(timeoutSeconds);
    }

    /** Asks an admin, and turns its failure into one that a person can act on. */
    public <T> T ask(String what, Function<Admin, CompletableFuture<T>> question) {
        try (Admin admin = Tidemark.admin(new Admin.Settings(bootstrap(), timeout()))) {
            return answer(what, question.apply(admin));
        }
    }

    /** What an admin answers to several questions, with one connection for all. */
    public <T> T talk(Function<Admin, T> conversation) {
        try (Admin admin = Tidemark.admin(new Admin.Settings(bootstrap(), timeout()))) {
            return conversation.apply(admin);
        }
    }

    /** Waits for an answer, and turns a failure into one that a person can act on. */
    public <T> T answer(String what, CompletableFuture<T> future) {
        try {
            return future.join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof TidemarkException failure ? explain(what, failure) : e;
        }
    }

    /** What a failed request means for the person who made it. */
    public CommandFailure explain(String what, TidemarkException failure) {
        return Explanation.of(what, bootstrap, failure);
    }
}
