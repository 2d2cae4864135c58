package io.tidemark.coordination.zookeeper.inspect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.tidemark.coordination.zookeeper.CuratorZkSession;
import io.tidemark.coordination.zookeeper.EmbeddedZooKeeper;
import io.tidemark.coordination.zookeeper.EmbeddedZooKeeperConfig;
import io.tidemark.coordination.zookeeper.ZkResult;
import io.tidemark.coordination.zookeeper.ZkSession;
import io.tidemark.coordination.zookeeper.ZkSession.CreateMode;
import io.tidemark.coordination.zookeeper.ZkSession.State;
import io.tidemark.coordination.zookeeper.ZkSettings;
import io.tidemark.coordination.zookeeper.ZkStat;
import io.tidemark.core.metrics.LoopMetrics;
import io.tidemark.core.runtime.SystemEventLoops;
import io.tidemark.runtime.SystemClock;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ZkInspectorIT {
    @TempDir
    Path dir;

    private Thread.UncaughtExceptionHandler handlerBefore;
    private EmbeddedZooKeeper server;
    private ZkSettings settings;

    @BeforeEach
    void start() throws Exception {
        handlerBefore = Thread.getDefaultUncaughtExceptionHandler();
        server = EmbeddedZooKeeper.start(EmbeddedZooKeeperConfig.onLoopback(dir, 0), () -> {});
        settings = ZkSettings.plain("127.0.0.1:" + server.port() + "/root", Duration.ofSeconds(6));
        write();
    }

    @AfterEach
    void stop() {
        server.close();
        Thread.setDefaultUncaughtExceptionHandler(handlerBefore);
    }

    @Test
    void shouldShowNodesParentsFirstWithReadableContent() throws Exception {
        try (ZkInspector inspector = ZkInspector.open(settings)) {
            List<ZkEntry> tree = inspector.tree("/a", 100);

            assertThat(tree).extracting(ZkEntry::path).containsExactly("/a", "/a/b", "/a/b/d", "/a/c");
            assertThat(tree.get(1).content()).isEqualTo("{\n  \"x\": 1\n}");
            assertThat(tree.get(3).content()).isEqualTo("no json");
            assertThat(inspector.tree("/a", 2)).extracting(ZkEntry::path).containsExactly("/a", "/a/b");
            assertThat(inspector.get("/none")).isEmpty();
            assertThatThrownBy(() -> inspector.get("none"))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("none");
        }
    }

    @Test
    void shouldSayThatNobodyAnswers() {
        server.close();
        ZkSettings nobody = ZkSettings.plain("127.0.0.1:" + server.port(), Duration.ofSeconds(1));

        assertThatThrownBy(() -> ZkInspector.open(nobody))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(nobody.connect());
    }

    private void write() throws Exception {
        try (SystemEventLoops loops = new SystemEventLoops(
                new SystemClock(), (runner, failure) -> {}, new LoopMetrics(new SimpleMeterRegistry()))) {

            CuratorZkSession session = CuratorZkSession.open(settings, loops.open("zookeeper"));
            CompletableFuture<State> connected = new CompletableFuture<>();
            session.onState(state -> {
                if (state == State.CONNECTED) {
                    connected.complete(state);
                }
            });
            connected.get(10, TimeUnit.SECONDS);
            create(session, "/a", "");
            create(session, "/a/c", "no json");
            create(session, "/a/b", "{\"x\":1}");
            create(session, "/a/b/d", "");
            session.close();
            assertThat(session.awaitClosed(Duration.ofSeconds(10))).isTrue();
        }
    }

    private static void create(ZkSession session, String path, String data) throws Exception {
        CompletableFuture<ZkResult<ZkStat>> answer = new CompletableFuture<>();
        session.create(path, data, CreateMode.PERSISTENT, answer::complete);
        assertThat(answer.get(10, TimeUnit.SECONDS).isOk()).isTrue();
    }
}
