package io.tidemark.coordination.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.tidemark.coordination.zookeeper.ZkSession.CreateMode;
import io.tidemark.coordination.zookeeper.ZkSession.State;
import io.tidemark.coordination.zookeeper.ZkSession.ZkWatch;
import io.tidemark.core.metrics.LoopMetrics;
import io.tidemark.core.runtime.SystemEventLoops;
import io.tidemark.runtime.EventLoops;
import io.tidemark.runtime.SystemClock;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What only a real server can show; the port's contract is tested where the simulated ensemble is. */
final class CuratorZkSessionIT {
    private static final Duration SESSION_TIMEOUT = Duration.ofSeconds(6);

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
        server = startServer(0);
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

    @Test
    void shouldCreateChrootOfSeveralLevelsBeforeItSaysConnected() throws Exception {
        // when
        ZkSession session = connected(open("/a/b", ""));
        created(session, "/c", "text \u20ac", CreateMode.PERSISTENT);

        // then
        ZkSession root = connected(open("", ""));
        ZkResult<ZkNode> read = ask(a -> root.get("/a/b/c", ZkWatch.NONE, a));
        assertThat(read.value().data()).isEqualTo("text \u20ac");
        ZkResult<List<String>> top = ask(a -> session.children("/", ZkWatch.NONE, a));
        assertThat(top.value()).containsExactly("c");
    }

    @Test
    void shouldKeepItsSessionThroughAShortOutage() throws Exception {
        // given
        CuratorZkSession session = open("", "", Duration.ofSeconds(20));
        List<State> states = watchStates(session);
        await().until(() -> states.contains(State.CONNECTED));
        long id = session.sessionId();
        created(session, "/e", "", CreateMode.EPHEMERAL);

        // when ZooKeeper restarts
        int port = server.port();
        server.close();
        await().until(() -> states.contains(State.SUSPENDED));
        ZkResult<ZkStat> during = ask(a -> session.create("/f", "", CreateMode.PERSISTENT, a));
        server = startServer(port);

        // then it is the same session, whose node never went away
        await().atMost(Duration.ofSeconds(20)).until(() -> states.get(states.size() - 1) == State.CONNECTED);
        assertThat(during.kind()).isEqualTo(ZkResult.Kind.CONNECTION_LOST);
        assertThat(states).containsExactly(State.SUSPENDED, State.CONNECTED, State.SUSPENDED, State.CONNECTED);
        assertThat(session.sessionId()).isEqualTo(id);
        ZkResult<ZkStat> stat = ask(a -> session.exists("/e", ZkWatch.NONE, a));
        assertThat(stat.value().ephemeralOwner()).isEqualTo(id);
    }

    @Test
    void shouldComeBackWithANewSessionAfterAnOutageLongerThanTheSessionTimeout() throws Exception {
        // given
        CuratorZkSession session = open("", "", Duration.ofSeconds(3));
        List<State> states = watchStates(session);
        await().until(() -> states.contains(State.CONNECTED));
        long id = session.sessionId();
        created(session, "/e", "", CreateMode.EPHEMERAL);

        // when
        int port = server.port();
        server.close();
        await().atMost(Duration.ofSeconds(20)).until(() -> states.contains(State.EXPIRED));
        server = startServer(port);

        // then the old session's node goes in its own time, and an operation of the new session owns what it makes
        await().atMost(Duration.ofSeconds(20)).until(() -> states.get(states.size() - 1) == State.CONNECTED);
        assertThat(session.sessionId()).isNotEqualTo(id);
        created(session, "/f", "", CreateMode.EPHEMERAL);
        await().atMost(Duration.ofSeconds(20)).until(() -> {
            ZkResult<ZkStat> old = ask(a -> session.exists("/e", ZkWatch.NONE, a));
            return old.kind() == ZkResult.Kind.NO_NODE;
        });
        ZkResult<ZkStat> stat = ask(a -> session.exists("/f", ZkWatch.NONE, a));
        assertThat(stat.value().ephemeralOwner()).isEqualTo(session.sessionId());
    }

    @Test
    void shouldSayExpiredOnceAndComeBackWithANewSession() throws Exception {
        // given
        CuratorZkSession session = open("", "");
        List<State> states = watchStates(session);
        await().until(() -> states.contains(State.CONNECTED));
        long id = session.sessionId();
        created(session, "/e", "", CreateMode.EPHEMERAL);

        // when the server ends the session
        server.expire(id);

        // then
        await().atMost(Duration.ofSeconds(20))
                .until(() -> states.contains(State.EXPIRED) && states.get(states.size() - 1) == State.CONNECTED);
        assertThat(states)
                .containsExactly(State.SUSPENDED, State.CONNECTED, State.SUSPENDED, State.EXPIRED, State.CONNECTED);
        assertThat(session.sessionId()).isNotEqualTo(id).isNotZero();
        ZkResult<ZkStat> gone = ask(a -> session.exists("/e", ZkWatch.NONE, a));
        assertThat(gone.kind()).isEqualTo(ZkResult.Kind.NO_NODE);
    }

    @Test
    void shouldEndItsSessionWhenClosed() throws Exception {
        // given
        CuratorZkSession session = connected(open("", ""));
        created(session, "/e", "", CreateMode.EPHEMERAL);
        ZkSession other = connected(open("", ""));

        // when
        session.close();
        assertThat(session.awaitClosed(Duration.ofSeconds(10))).isTrue();

        // then
        ZkResult<ZkStat> gone = ask(a -> other.exists("/e", ZkWatch.NONE, a));
        ZkResult<ZkStat> late = ask(a -> session.exists("/e", ZkWatch.NONE, a));
        assertThat(gone.kind()).isEqualTo(ZkResult.Kind.NO_NODE);
        assertThat(late.kind()).isEqualTo(ZkResult.Kind.SESSION_EXPIRED);
    }

    @Test
    void shouldKeepItsNodesFromOthersWhenAuthenticated() throws Exception {
        // given
        ZkSession mine = connected(open("", "tidemark:secret"));
        created(mine, "/mine", "x", CreateMode.PERSISTENT);
        ZkSession stranger = connected(open("", ""));

        // then
        ZkResult<ZkNode> read = ask(a -> stranger.get("/mine", ZkWatch.NONE, a));
        ZkResult<ZkNode> own = ask(a -> mine.get("/mine", ZkWatch.NONE, a));
        assertThat(read.kind()).isEqualTo(ZkResult.Kind.NOT_AUTHORISED);
        assertThat(own.isOk()).isTrue();
    }

    private EmbeddedZooKeeper startServer(int port) throws Exception {
        return EmbeddedZooKeeper.start(EmbeddedZooKeeperConfig.onLoopback(dir, port), () -> {});
    }

    private CuratorZkSession open(String chroot, String digest) {
        return open(chroot, digest, SESSION_TIMEOUT);
    }

    private CuratorZkSession open(String chroot, String digest, Duration sessionTimeout) {
        String connect = "127.0.0.1:" + server.port() + chroot;
        CuratorZkSession session =
                CuratorZkSession.open(new ZkSettings(connect, sessionTimeout, new TreeMap<>(), digest), loop);
        sessions.add(session);
        return session;
    }

    private static CuratorZkSession connected(CuratorZkSession session) {
        List<State> states = watchStates(session);
        await().atMost(Duration.ofSeconds(10)).until(() -> states.contains(State.CONNECTED));
        return session;
    }

    private static List<State> watchStates(ZkSession session) {
        List<State> states = new CopyOnWriteArrayList<>();
        session.onState(states::add);
        return states;
    }

    private static void created(ZkSession session, String path, String data, CreateMode mode) throws Exception {
        ZkResult<ZkStat> result = ask(a -> session.create(path, data, mode, a));
        assertThat(result.kind()).isEqualTo(ZkResult.Kind.OK);
    }

    private static <T> ZkResult<T> ask(Consumer<Consumer<ZkResult<T>>> question) throws Exception {
        CompletableFuture<ZkResult<T>> answer = new CompletableFuture<>();
        question.accept(answer::complete);
        return answer.get(20, TimeUnit.SECONDS);
    }
}
