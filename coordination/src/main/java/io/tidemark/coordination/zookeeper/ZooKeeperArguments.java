package io.tidemark.coordination.zookeeper;

import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Properties;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The command line of {@link ZooKeeperMain}. Flags win over the file.
 *
 * @param config what to run
 * @param portFile where to write the port once it listens
 */
record ZooKeeperArguments(EmbeddedZooKeeperConfig config, Optional<Path> portFile) {
    static final String USAGE = String.join(
            System.lineSeparator(),
            "usage: tidemark-zookeeper [--config FILE] [--data-dir DIR] [--host ADDRESS] [--port PORT] [--port-file FILE]",
            "  --config FILE     properties: dataDir, clientPort, clientPortAddress, tickTime, minSessionTimeout,",
            "                    maxSessionTimeout",
            "  --data-dir DIR    where data is kept (dataDir); required here or in the file",
            "  --host ADDRESS    address to listen on (clientPortAddress), 127.0.0.1 by default",
            "  --port PORT       port to listen on (clientPort), 2181 by default; 0 for any free port",
            "  --port-file FILE  write the port to FILE once the server listens");

    private static final String PORT_FILE = "--port-file";
    private static final String CONFIG = "--config";
    private static final SortedMap<String, String> KEY_BY_FLAG =
            table("--data-dir dataDir", "--host clientPortAddress", "--port clientPort");
    private static final SortedMap<String, String> DEFAULTS = table(
            "clientPortAddress 127.0.0.1",
            "clientPort 2181",
            "tickTime 500",
            "minSessionTimeout 1000",
            "maxSessionTimeout 60000");

    /** The command line cannot be used; the message says why. */
    static final class UsageException extends Exception {
        private static final long serialVersionUID = 1L;

        UsageException(String message) {
            super(message);
        }
    }

    private static SortedMap<String, String> table(String... rows) {
        SortedMap<String, String> table = new TreeMap<>();
        for (String row : rows) {
            int space = row.indexOf(' ');
            table.put(row.substring(0, space), row.substring(space + 1));
        }
        return table;
    }

    static ZooKeeperArguments parse(String... arguments) throws UsageException {
        SortedMap<String, String> flags = flags(arguments);
        SortedMap<String, String> settings = new TreeMap<>(DEFAULTS);
        String file = flags.get(CONFIG);
        if (file != null) {
            settings.putAll(read(Path.of(file)));
        }
        KEY_BY_FLAG.forEach((flag, key) -> {
            String value = flags.get(flag);
            if (value != null) {
                settings.put(key, value);
            }
        });
        return new ZooKeeperArguments(
                config(settings), Optional.ofNullable(flags.get(PORT_FILE)).map(Path::of));
    }

    private static SortedMap<String, String> flags(String... arguments) throws UsageException {
        SortedMap<String, String> flags = new TreeMap<>();
        for (int i = 0; i < arguments.length; i += 2) {
            String flag = arguments[i];
            if (!flag.equals(CONFIG) && !flag.equals(PORT_FILE) && !KEY_BY_FLAG.containsKey(flag)) {
                throw new UsageException("unknown argument: " + flag);
            }
            if (i + 1 == arguments.length) {
                throw new UsageException(flag + " needs a value");
            }
            if (flags.put(flag, arguments[i + 1]) != null) {
                throw new UsageException(flag + " is given twice");
            }
        }
        return flags;
    }

    private static SortedMap<String, String> read(Path file) throws UsageException {
        Properties properties = new Properties();
        try (Reader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
            properties.load(reader);
        } catch (IOException | IllegalArgumentException e) {
            throw new UsageException("cannot read " + file + ": " + e);
        }
        SortedMap<String, String> settings = new TreeMap<>();
        for (String key : properties.stringPropertyNames()) {
            if (!key.equals("dataDir") && !DEFAULTS.containsKey(key)) {
                throw new UsageException("unknown setting in " + file + ": " + key);
            }
            settings.put(key, properties.getProperty(key).strip());
        }
        return settings;
    }

    private static EmbeddedZooKeeperConfig config(SortedMap<String, String> settings) throws UsageException {
        String dataDir = settings.get("dataDir");
        if (dataDir == null || dataDir.isEmpty()) {
            throw new UsageException("no data directory: give --data-dir, or dataDir in the file");
        }
        try {
            return new EmbeddedZooKeeperConfig(
                    Path.of(dataDir),
                    settings.getOrDefault("clientPortAddress", ""),
                    number(settings, "clientPort"),
                    number(settings, "tickTime"),
                    number(settings, "minSessionTimeout"),
                    number(settings, "maxSessionTimeout"));
        } catch (IllegalArgumentException e) {
            throw new UsageException(String.valueOf(e.getMessage()));
        }
    }

    private static int number(SortedMap<String, String> settings, String key) throws UsageException {
        @Nullable String text = settings.get(key);
        try {
            return Integer.parseInt(String.valueOf(text));
        } catch (NumberFormatException e) {
            throw new UsageException(key + " is a number, not \"" + text + "\"");
        }
    }
}
