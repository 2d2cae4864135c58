package io.tidemark.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.tidemark.coordination.zookeeper.CuratorZkSession;
import io.tidemark.coordination.zookeeper.EmbeddedZooKeeper;
import io.tidemark.coordination.zookeeper.EmbeddedZooKeeperConfig;
import io.tidemark.coordination.zookeeper.ZkSession;
import io.tidemark.coordination.zookeeper.ZkSettings;
import io.tidemark.core.metrics.LoopMetrics;
import io.tidemark.core.runtime.SystemEventLoops;
import io.tidemark.runtime.EventLoops;
import io.tidemark.runtime.SystemClock;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A real ensemble of one keeps the same contract, below a chroot. */
final class CuratorZkSessionContractIT extends ZkSessionContract {
    @TempDir
    Path dir;

    private final List<Throwable> failures = new CopyOnWriteArrayList<>();
    private final SystemEventLoops loops = new SystemEventLoops(
            new SystemClock(), (runner, failure) -> failures.add(failure), new LoopMetrics(new SimpleMeterRegistry()));
    private final EventLoops.Loop loop = loops.open("zookeeper");
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
        loop.close();
        assertThat(failures).isEmpty();
        Thread.setDefaultUncaughtExceptionHandler(handlerBefore);
    }

    @Override
    protected ZkSession open() {
        CuratorZkSession session = CuratorZkSession.open(
                ZkSettings.plain("127.0.0.1:" + server.port() + "/contract", Duration.ofSeconds(6)), loop);
        sessions.add(session);
        return session;
    }

    @Override
    protected void expire(long sessionId) {
        server.expire(sessionId);
    }

    @Override
    protected void until(BooleanSupplier condition) {
        await().pollInterval(Duration.ofMillis(5))
                .atMost(Duration.ofSeconds(20))
                .until(condition::getAsBoolean);
    }
}
