package io.tidemark.coordination.zookeeper.inspect;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonElement;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import io.tidemark.coordination.zookeeper.ZkSettings;
import io.tidemark.coordination.zookeeper.ZkStat;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.apache.curator.CuratorZookeeperClient;
import org.apache.curator.ensemble.fixed.FixedEnsembleProvider;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.ZKClientConfig;
import org.apache.zookeeper.common.PathUtils;
import org.apache.zookeeper.data.Stat;

/**
 * Reads nodes for the command line. There is nothing here that writes. Blocks the caller, and so is used by tools alone;
 * what cannot be read is an {@link IOException} that says why.
 */
public final class ZkInspector implements AutoCloseable {
    private static final Gson PRETTY = new GsonBuilder()
            .setPrettyPrinting()
            .disableHtmlEscaping()
            .serializeNulls()
            .create();

    private final ZkSettings settings;
    private final CuratorZookeeperClient client;

    private ZkInspector(ZkSettings settings) {
        this.settings = settings;
        int timeoutMs = (int) settings.sessionTimeout().toMillis();
        this.client = new CuratorZookeeperClient(
                (connect, sessionTimeoutMs, watcher, canBeReadOnly) -> {
                    ZKClientConfig config = new ZKClientConfig();
                    settings.clientProperties().forEach(config::setProperty);
                    return new ZooKeeper(connect, sessionTimeoutMs, watcher, false, config);
                },
                new FixedEnsembleProvider(settings.connect(), false),
                timeoutMs,
                timeoutMs,
                event -> {},
                (retryCount, elapsedTimeMs, sleeper) -> false,
                false);
    }

    /** Connects, for at most the session timeout of {@code settings}. */
    public static ZkInspector open(ZkSettings settings) throws IOException, InterruptedException {
        ZkInspector inspector = new ZkInspector(settings);
        try {
            inspector.connect();
            return inspector;
        } catch (IOException | InterruptedException | RuntimeException e) {
            inspector.close();
            throw e;
        }
    }

    /** A node; empty if there is none. */
    public Optional<ZkEntry> get(String path) throws IOException, InterruptedException {
        requirePath(path);
        Stat stat = new Stat();
        try {
            byte[] data = handle().getData(path, false, stat);
            String text = data == null ? "" : new String(data, StandardCharsets.UTF_8);
            ZkStat told = new ZkStat(stat.getVersion(), stat.getCzxid(), stat.getEphemeralOwner());
            return Optional.of(new ZkEntry(path, readable(text), told, stat.getNumChildren()));
        } catch (KeeperException.NoNodeException e) {
            return Optional.empty();
        } catch (KeeperException e) {
            throw new IOException("cannot read " + path + ": " + e.code(), e);
        }
    }

    /**
     * A node and all below it, parents first, names in order; at most {@code maxNodes}. Not a snapshot: nodes that come or
     * go meanwhile may be there or not.
     */
    public List<ZkEntry> tree(String path, int maxNodes) throws IOException, InterruptedException {
        List<ZkEntry> entries = new ArrayList<>();
        ArrayDeque<String> open = new ArrayDeque<>();
        open.push(path);
        while (!open.isEmpty() && entries.size() < maxNodes) {
            String next = open.pop();
            Optional<ZkEntry> entry = get(next);
            entry.ifPresent(entries::add);
            if (entry.isPresent() && entry.get().childCount() > 0) {
                children(next).forEach(open::push);
            }
        }
        return List.copyOf(entries);
    }

    @Override
    public void close() {
        client.close();
    }

    private void connect() throws IOException, InterruptedException {
        try {
            client.start();
        } catch (Exception e) {
            throw new IOException("cannot connect to ZooKeeper at " + settings.connect(), e);
        }
        if (!client.blockUntilConnectedOrTimedOut()) {
            throw new IOException("no ZooKeeper answers at " + settings.connect());
        }
        if (!settings.digest().isEmpty()) {
            handle().addAuthInfo("digest", settings.digest().getBytes(StandardCharsets.UTF_8));
        }
    }

    private ZooKeeper handle() throws IOException, InterruptedException {
        try {
            return client.getZooKeeper();
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception e) {
            throw new IOException("lost the connection to ZooKeeper at " + settings.connect(), e);
        }
    }

    /** Paths of the children, last first, as a stack wants them. */
    private List<String> children(String path) throws IOException, InterruptedException {
        try {
            List<String> names = new ArrayList<>(handle().getChildren(path, false));
            names.sort(Collections.reverseOrder());
            String prefix = path.equals("/") ? "/" : path + "/";
            names.replaceAll(name -> prefix + name);
            return names;
        } catch (KeeperException.NoNodeException e) {
            return List.of();
        } catch (KeeperException e) {
            throw new IOException("cannot list " + path + ": " + e.code(), e);
        }
    }

    private static void requirePath(String path) throws IOException {
        try {
            PathUtils.validatePath(path);
        } catch (IllegalArgumentException e) {
            throw new IOException("not a path: \"" + path + "\": " + e.getMessage(), e);
        }
    }

    private static String readable(String text) {
        try {
            JsonElement json = JsonParser.parseString(text);
            return json.isJsonObject() ? PRETTY.toJson(json) : text;
        } catch (JsonParseException e) {
            return text;
        }
    }
}
