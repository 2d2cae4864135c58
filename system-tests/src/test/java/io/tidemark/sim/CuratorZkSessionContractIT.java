package io.tidemark.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidemark.coordination.zookeeper.CuratorZkSession;
import io.tidemark.coordination.zookeeper.EmbeddedZooKeeper;
import io.tidemark.coordination.zookeeper.EmbeddedZooKeeperConfig;
import io.tidemark.coordination.zookeeper.ZkSession;
import io.tidemark.coordination.zookeeper.ZkSettings;
import io.tidemark.core.runtime.SystemEventLoops;
import io.tidemark.runtime.EventLoops;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A real ensemble of one keeps the same contract, below a chroot. */
final class CuratorZkSessionContractIT extends ZkSessionContract {
    @TempDir
    Path dir;

    private final List<CuratorZkSession> sessions = new ArrayList<>();
    private Thread.UncaughtExceptionHandler handlerBefore;
    private EmbeddedZooKeeper server;

    @BeforeEach
    void start() throws Exception {
        handlerBefore = Thread.getDefaultUncaughtExceptionHandler();
        server = EmbeddedZooKeeper.start(EmbeddedZooKeeperConfig.onLoopback(dir, 0), () -> {});
    }

    @AfterEach
    void stop() throws Exception {
        sessions.forEach(CuratorZkSession::close);
        for (CuratorZkSession session : sessions) {
            assertThat(session.awaitClosed(Duration.ofSeconds(20))).isTrue();
        }
        server.close();
        Thread.setDefaultUncaughtExceptionHandler(handlerBefore);
    }
}
