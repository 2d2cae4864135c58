package io.tidemark.coordination.zookeeper;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.curator.CuratorZookeeperClient;
import org.apache.curator.ensemble.fixed.FixedEnsembleProvider;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.ZKClientConfig;

/**
 * The ZooKeeper client handles of one session port, one after the other: Curator's client makes a new one when the last
 * one's session is over.
 *
 * <p>Curator's higher layers are left out on purpose. Its background operations are queued and sent again by its own
 * policy, which breaks the order of calls, and its LOST state and its connection timeout are timers beside the client's.
 * Here nothing but the client's own {@code Expired} ends a session, and each handle keeps order and answers by itself.
 */
final class ZkHandles {
    private final ZkSettings settings;
    private final Listener listener;
    private final CuratorZookeeperClient client;
    private final CountDownLatch closed = new CountDownLatch(1);

    /** Told on the client's threads, in order for one handle, and of a new handle before its events. */
    interface Listener {
        void opened(ZooKeeper handle);

        void changed(ZooKeeper handle, Watcher.Event.KeeperState state, long sessionId);
    }

    ZkHandles(ZkSettings settings, Listener listener) {
        this.settings = settings;
        this.listener = listener;
        int sessionTimeoutMs = (int) settings.sessionTimeout().toMillis();
        this.client = new CuratorZookeeperClient(
                (connect, timeoutMs, watcher, canBeReadOnly) -> newHandle(connect, timeoutMs, watcher),
                new FixedEnsembleProvider(settings.servers(), false),
                sessionTimeoutMs,
                sessionTimeoutMs,
                event -> {},
                (retryCount, elapsedTimeMs, sleeper) -> false,
                false);
    }

    /** Starts to connect; does not wait. */
    void start() {
        try {
            client.start();
        } catch (Exception e) {
            throw new IllegalStateException("cannot start a ZooKeeper client for " + settings, e);
        }
    }

    /** Ends the session on a thread of its own, since the client waits for the server's answer. */
    void close() {
        Thread thread = new Thread(
                () -> {
                    try {
                        client.close();
                    } finally {
                        closed.countDown();
                    }
                },
                "zookeeper-close");
        thread.start();
    }

    /** Waits until the server was told of the end, or could not be reached; false if that took longer. */
    boolean awaitClosed(long timeoutMs) throws InterruptedException {
        return closed.await(timeoutMs, TimeUnit.MILLISECONDS);
    }

    private ZooKeeper newHandle(String connect, int timeoutMs, Watcher curator) throws IOException {
        // Events may come before the constructor returns; they wait until the handle was announced.
        CompletableFuture<ZooKeeper> announced = new CompletableFuture<>();
        Watcher watcher = event -> onEvent(announced.join(), event, curator::process);
        ZKClientConfig config = new ZKClientConfig();
        settings.clientProperties().forEach(config::setProperty);
        ZooKeeper handle = new ZooKeeper(connect, timeoutMs, watcher, false, config);
        if (!settings.digest().isEmpty()) {
            handle.addAuthInfo("digest", settings.digest().getBytes(StandardCharsets.UTF_8));
        }
        listener.opened(handle);
        announced.complete(handle);
        return handle;
    }

    private void onEvent(ZooKeeper handle, WatchedEvent event, Consumer<WatchedEvent> curator) {
        if (event.getType() == Watcher.Event.EventType.None) {
            listener.changed(handle, event.getState(), handle.getSessionId());
        }
        curator.accept(event);
    }
}
