package io.tidemark.bench.logs;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** Whose log is measured. */
enum LogSystem {
    KAFKA {
        @Override
        MeasuredLog open(Path directory, LogShape shape, Stop stop) throws IOException {
            return KafkaLog.open(directory, shape, stop);
        }
    },
    TIDEMARK {
        @Override
        MeasuredLog open(Path directory, LogShape shape, Stop stop) {
            return TidemarkLog.open(directory, shape);
        }
    };

    /** How the log in a directory was left. */
    enum Stop {
        /** There is none yet, or it was closed. */
        CLEAN,
        /** It was abandoned; nothing of it is known to be durable. */
        UNCLEAN
    }

    /**
     * Opens the log in a directory, or makes one there; after an unclean stop it is recovered.
     *
     * @param directory a log directory, with nothing else in it
     * @param stop as it was; ours tells by itself
     */
    abstract MeasuredLog open(Path directory, LogShape shape, Stop stop) throws IOException;

    /** Its name as a parameter. */
    String key() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The one of that name. */
    static LogSystem of(String key) {
        return List.of(values()).stream()
                .filter(system -> system.key().equals(key))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("there is no system " + key));
    }
}
