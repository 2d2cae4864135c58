package io.tidemark.coordination.zookeeper;

import java.nio.file.Path;

/**
 * Settings of an {@link EmbeddedZooKeeper}. In a file they have the names that ZooKeeper's own configuration has for
 * them, which {@link ZooKeeperArguments} lists.
 *
 * @param dataDir snapshots and transaction logs
 * @param host address to listen on
 * @param port port to listen on, 0 for any free one
 * @param tickTimeMs granularity of session timeouts
 * @param minSessionTimeoutMs least session timeout that a client can get
 * @param maxSessionTimeoutMs most session timeout that a client can get
 */
public record EmbeddedZooKeeperConfig(
        Path dataDir, String host, int port, int tickTimeMs, int minSessionTimeoutMs, int maxSessionTimeoutMs) {
    private static final int DEFAULT_TICK_TIME_MS = 500;
    private static final int DEFAULT_MIN_SESSION_TIMEOUT_MS = 1_000;
    private static final int DEFAULT_MAX_SESSION_TIMEOUT_MS = 60_000;

    /** Throws {@link IllegalArgumentException} that names the setting. */
    public EmbeddedZooKeeperConfig {
        require(port >= 0 && port <= 65_535, "clientPort is in [0, 65535], not " + port);
        require(!host.isBlank(), "clientPortAddress is empty");
        require(tickTimeMs > 0, "tickTime is positive, not " + tickTimeMs);
        require(
                minSessionTimeoutMs > 0 && minSessionTimeoutMs <= maxSessionTimeoutMs,
                "minSessionTimeout is positive and at most maxSessionTimeout");
    }

    /** On loopback, with ticks of half a second, so that sessions of 1 to 60 seconds are given. */
    public static EmbeddedZooKeeperConfig onLoopback(Path dataDir, int port) {
        return new EmbeddedZooKeeperConfig(
                dataDir,
                "127.0.0.1",
                port,
                DEFAULT_TICK_TIME_MS,
                DEFAULT_MIN_SESSION_TIMEOUT_MS,
                DEFAULT_MAX_SESSION_TIMEOUT_MS);
    }

    /** Snapshots that a purge leaves, the fewest that ZooKeeper accepts. */
    int snapshotsKept() {
        return 3;
    }

    /** Connections from one address; 0 for no limit, since all brokers of a development cluster share one. */
    int maxClientConnections() {
        return 0;
    }

    private static void require(boolean condition, String problem) {
        if (!condition) {
            throw new IllegalArgumentException(problem);
        }
    }
}
