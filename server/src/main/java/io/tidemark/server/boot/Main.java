package io.tidemark.server.boot;

import io.tidemark.core.config.BrokerConfig;
import io.tidemark.core.config.ConfigOutcome;
import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The broker process: {@code tidemark-server --config FILE [--check-config]}.
 *
 * <p>Ends with 0 when it was asked to stop, 1 when it could not start, 3 after a storage failure, 64 for a wrong command
 * line, 78 for a wrong configuration or log directories of another cluster or broker.
 */
public final class Main {
    private static final Logger LOG = LoggerFactory.getLogger(Main.class);
    private static final String USAGE = "usage: tidemark-server --config FILE [--check-config]";

    private Main() {}

    /** Runs until the process is asked to stop. */
    public static void main(String[] arguments) {
        int status = run(List.of(arguments));
        if (status != ExitStatus.STOPPED) {
            Runtime.getRuntime().halt(status);
        }
    }

    private static int run(List<String> arguments) {
        if (arguments.contains("--help") || arguments.contains("-h")) {
            System.out.println(USAGE);
            return ExitStatus.STOPPED;
        }
        int at = arguments.indexOf("--config");
        boolean checkOnly = arguments.contains("--check-config");
        int expected = checkOnly ? 3 : 2;
        if (at < 0 || at + 1 >= arguments.size() || arguments.size() != expected) {
            System.err.println("tidemark-server: " + describe(arguments));
            System.err.println(USAGE);
            return ExitStatus.USAGE;
        }
        Path file = Path.of(arguments.get(at + 1));
        try {
            BrokerConfig config = read(file);
            if (checkOnly) {
                System.out.println(file + " is valid for broker " + config.brokerId());
                return ExitStatus.STOPPED;
            }
            serve(config);
            return ExitStatus.STOPPED;
        } catch (StartFailure e) {
            LOG.error("cannot start: {}", e.getMessage());
            System.err.println("tidemark-server: " + e.getMessage());
            return e.status();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return ExitStatus.FAILED;
        }
    }

    private static String describe(List<String> arguments) {
        return arguments.isEmpty() ? "--config is missing" : "cannot understand: " + String.join(" ", arguments);
    }

    private static BrokerConfig read(Path file) throws StartFailure {
        Properties properties = new Properties();
        try (Reader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
            properties.load(reader);
        } catch (NoSuchFileException e) {
            throw new StartFailure(ExitStatus.CONFIGURATION, "there is no configuration file " + file);
        } catch (IOException | IllegalArgumentException e) {
            throw new StartFailure(ExitStatus.CONFIGURATION, "cannot read " + file + ": " + e);
        }
        ConfigOutcome<BrokerConfig> outcome = BrokerConfig.parse(properties);
        if (outcome instanceof ConfigOutcome.Valid<BrokerConfig> valid) {
            return valid.config();
        }
        ConfigOutcome.Invalid<BrokerConfig> invalid = (ConfigOutcome.Invalid<BrokerConfig>) outcome;
        throw new StartFailure(
                ExitStatus.CONFIGURATION, file + " is not valid:" + System.lineSeparator() + invalid.message());
    }

    /** Starts the broker; it stops when the process is asked to. Its threads are daemons, so this one stays. */
    private static void serve(BrokerConfig config) throws StartFailure, InterruptedException {
        Broker broker = Broker.start(config, Runtime.getRuntime()::halt);
        Runtime.getRuntime().addShutdownHook(new Thread(broker::stop, "tidemark-shutdown"));
        broker.awaitStopped();
    }
}
