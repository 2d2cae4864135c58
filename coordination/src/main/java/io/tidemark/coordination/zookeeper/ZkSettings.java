package io.tidemark.coordination.zookeeper;

import java.time.Duration;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.zookeeper.client.ConnectStringParser;

/**
 * How to reach ZooKeeper.
 *
 * @param connect {@code zookeeper.connect}: {@code host:port,host:port/chroot}; the chroot is created if it is missing
 * @param sessionTimeout {@code zookeeper.session.timeout.ms}; the server may give another
 * @param clientProperties settings of ZooKeeper's client, such as {@code zookeeper.client.secure}; may hold secrets
 * @param digest {@code user:password} for digest authentication, or empty; with it every node that is created is its
 *     creator's alone
 */
public record ZkSettings(
        String connect, Duration sessionTimeout, SortedMap<String, String> clientProperties, String digest) {
    /** Throws {@link IllegalArgumentException} that quotes what is wrong. */
    public ZkSettings {
        clientProperties = Collections.unmodifiableSortedMap(new TreeMap<>(clientProperties));
        if (sessionTimeout.toMillis() <= 0 || sessionTimeout.toMillis() > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("a session timeout is positive, not " + sessionTimeout);
        }
        if (connect.isBlank() || connect.startsWith("/")) {
            throw new IllegalArgumentException("expected host:port[,host:port][/chroot], not \"" + connect + "\"");
        }
        try {
            new ConnectStringParser(connect);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "expected host:port[,host:port][/chroot], not \"" + connect + "\": " + e.getMessage(), e);
        }
    }

    /** Without authentication or encryption. */
    public static ZkSettings plain(String connect, Duration sessionTimeout) {
        return new ZkSettings(connect, sessionTimeout, new TreeMap<>(), "");
    }

    /** The hosts and ports alone. */
    public String servers() {
        int slash = connect.indexOf('/');
        return slash < 0 ? connect : connect.substring(0, slash);
    }

    /** The path that all nodes are below, or empty. */
    public String chroot() {
        int slash = connect.indexOf('/');
        String path = slash < 0 ? "" : connect.substring(slash);
        return path.equals("/") ? "" : path;
    }

    /** Without secrets. */
    @Override
    public String toString() {
        return "ZkSettings{" + connect + ", session timeout " + sessionTimeout.toMillis() + " ms}";
    }
}
