package io.tidemark.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.coordination.zookeeper.ZkNode;
import io.tidemark.coordination.zookeeper.ZkResult;
import io.tidemark.coordination.zookeeper.ZkResult.Kind;
import io.tidemark.coordination.zookeeper.ZkSession;
import io.tidemark.coordination.zookeeper.ZkSession.CreateMode;
import io.tidemark.coordination.zookeeper.ZkSession.State;
import io.tidemark.coordination.zookeeper.ZkStat;
import io.tidemark.core.testkit.ManualClock;
import io.tidemark.core.testkit.ManualEventLoops;
import io.tidemark.core.testkit.ManualScheduler;
import io.tidemark.core.testkit.SeededRandomness;
import io.tidemark.runtime.EventLoop;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** The simulated ensemble keeps the port's contract, and fails in the ways of a real one. */
final class SimZooKeeperTest extends ZkSessionContract {
    private static final Duration TIMEOUT = Duration.ofSeconds(6);

    private final ManualEventLoops loops = new ManualEventLoops(new ManualScheduler(new ManualClock()));
    private final EventLoop loop = loops.open("client");
    private SimZooKeeper zooKeeper = ensemble(1);

    private SimZooKeeper ensemble(long seed) {
        ManualScheduler scheduler = loops.scheduler();
        return new SimZooKeeper(
                scheduler.clock(), scheduler, new SeededRandomness(seed), SimZooKeeper.Settings.DEFAULT);
    }

    @Override
    protected ZkSession open() {
        return zooKeeper.connect(loop, TIMEOUT);
    }

    @Override
    protected void expire(long sessionId) {
        zooKeeper.expire(sessionId);
    }

    @Override
    protected void until(BooleanSupplier condition) {
        for (int step = 0; step < 60_000 && !condition.getAsBoolean(); step++) {
            loops.advance(Duration.ofMillis(1));
        }
        assertThat(condition.getAsBoolean()).isTrue();
    }

    @Test
    void shouldKeepASessionAliveByHeartbeatsAlone() {
        SimZooKeeperClient client = connected();
        List<State> states = statesOf(client);

        loops.advance(Duration.ofMinutes(5));

        assertThat(states).containsExactly(State.CONNECTED);
    }

    @Test
    void shouldEndTheSessionOfAClientThatIsCutOff() {
        // given
        SimZooKeeperClient client = connected();
        List<State> states = statesOf(client);
        long id = client.sessionId();
        createEphemeral(client, "/e");

        // when
        client.cut();
        loops.advance(Duration.ofSeconds(5));
        assertThat(states).containsExactly(State.CONNECTED, State.SUSPENDED);
        assertThat(zooKeeper.tree().exists("/e").isOk()).isTrue();
        loops.advance(Duration.ofSeconds(2));
        assertThat(zooKeeper.tree().exists("/e").isOk()).isFalse();
        client.heal();
        loops.advance(Duration.ofSeconds(5));

        // then
        assertThat(states).containsExactly(State.CONNECTED, State.SUSPENDED, State.EXPIRED, State.CONNECTED);
        assertThat(client.sessionId()).isNotEqualTo(id);
    }

    @Test
    void shouldKeepTheSessionThroughAShortCut() {
        SimZooKeeperClient client = connected();
        List<State> states = statesOf(client);
        createEphemeral(client, "/e");

        client.cut();
        loops.advance(Duration.ofMillis(4_800));
        client.heal();
        loops.advance(Duration.ofSeconds(10));

        assertThat(states).containsExactly(State.CONNECTED, State.SUSPENDED, State.CONNECTED);
        assertThat(zooKeeper.tree().exists("/e").isOk()).isTrue();
    }

    @Test
    void shouldLeaveTheOldNodeBesideTheNewSessionAfterALongOutage() {
        // given (CURATOR-696: the client gives up first, the restarted ensemble gives the old session a new life)
        SimZooKeeperClient client = connected();
        List<State> states = statesOf(client);
        long id = client.sessionId();
        createEphemeral(client, "/e");

        // when
        zooKeeper.stop();
        loops.advance(TIMEOUT.multipliedBy(3));
        zooKeeper.start();
        loops.advance(Duration.ofSeconds(1));

        // then
        assertThat(states).containsExactly(State.CONNECTED, State.SUSPENDED, State.EXPIRED, State.CONNECTED);
        assertThat(zooKeeper.tree().exists("/e").value().ephemeralOwner()).isEqualTo(id);
        loops.advance(TIMEOUT);
        assertThat(zooKeeper.tree().exists("/e").isOk()).isFalse();
    }

    @Test
    void shouldKeepSessionsThroughAShortRestart() {
        SimZooKeeperClient client = connected();
        List<State> states = statesOf(client);
        createEphemeral(client, "/e");

        zooKeeper.stop();
        loops.advance(Duration.ofSeconds(2));
        zooKeeper.start();
        loops.advance(Duration.ofSeconds(10));

        assertThat(states).containsExactly(State.CONNECTED, State.SUSPENDED, State.CONNECTED);
        assertThat(zooKeeper.tree().exists("/e").isOk()).isTrue();
    }

    @Test
    void shouldDoTheOperationWhoseReplyIsLost() {
        SimZooKeeperClient client = connected();
        List<ZkResult<ZkStat>> answers = new ArrayList<>();

        client.loseNextReply();
        client.create("/a", "", CreateMode.PERSISTENT, answers::add);
        loops.advance(Duration.ofSeconds(1));

        assertThat(answers).containsExactly(ZkResult.failed(Kind.CONNECTION_LOST));
        assertThat(zooKeeper.tree().exists("/a").isOk()).isTrue();
    }

    @Test
    void shouldDoWhatArrivesThroughALineThatOnlyLosesReplies() {
        SimZooKeeperClient client = connected();
        List<ZkResult<ZkStat>> answers = new ArrayList<>();

        client.cutReplies();
        client.create("/a", "", CreateMode.PERSISTENT, answers::add);
        loops.advance(Duration.ofMillis(10));
        assertThat(zooKeeper.tree().exists("/a").isOk()).isTrue();
        assertThat(answers).isEmpty();

        loops.advance(TIMEOUT);
        assertThat(answers).containsExactly(ZkResult.failed(Kind.CONNECTION_LOST));
    }

    @Test
    void shouldDeliverAWatchThatFiredWhileTheClientWasAway() {
        // given
        SimZooKeeperClient client = connected();
        SimZooKeeperClient other = connected();
        create(other, "/a");
        List<String> fired = new ArrayList<>();
        ask(answer -> client.get("/a", fired::add, (ZkResult<ZkNode> result) -> answer.accept(result)));

        // when
        client.cut();
        List<ZkResult<ZkStat>> changed = new ArrayList<>();
        other.set("/a", "x", 0, changed::add);
        loops.advance(Duration.ofMillis(4_800));
        client.heal();
        loops.advance(Duration.ofSeconds(10));

        // then
        assertThat(changed).hasSize(1);
        assertThat(fired).containsExactly("/a");
    }

    @Test
    void shouldNoticeAfterAPauseHowLongItWas() {
        // given
        SimZooKeeperClient client = connected();
        List<State> states = statesOf(client);
        createEphemeral(client, "/e");

        // when the process stops for longer than its session (SIGSTOP)
        client.pause();
        loops.advance(TIMEOUT.multipliedBy(2));
        assertThat(states).containsExactly(State.CONNECTED);
        assertThat(zooKeeper.tree().exists("/e").isOk()).isFalse();
        client.resume();
        loops.advance(Duration.ofSeconds(5));

        // then
        assertThat(states).containsExactly(State.CONNECTED, State.SUSPENDED, State.EXPIRED, State.CONNECTED);
    }

    @Test
    void shouldAnswerNobodyWhilePausedAndGoOnAfterwards() {
        SimZooKeeperClient client = connected();
        List<ZkResult<ZkStat>> answers = new ArrayList<>();

        zooKeeper.pause();
        client.create("/a", "", CreateMode.PERSISTENT, answers::add);
        loops.advance(Duration.ofSeconds(1));
        assertThat(answers).isEmpty();
        zooKeeper.resume();
        loops.advance(Duration.ofSeconds(1));

        assertThat(answers).hasSize(1);
        assertThat(answers.get(0).isOk()).isTrue();
    }

    @Test
    void shouldForgetAKilledClientAfterItsTimeout() {
        SimZooKeeperClient client = connected();
        createEphemeral(client, "/e");

        client.kill();
        loops.advance(Duration.ofSeconds(5));
        assertThat(zooKeeper.tree().exists("/e").isOk()).isTrue();
        loops.advance(Duration.ofSeconds(3));

        assertThat(zooKeeper.tree().exists("/e").isOk()).isFalse();
    }

    @Test
    void shouldGiveTheSameRunForTheSameSeed() {
        assertThat(trace(7)).isEqualTo(trace(7)).isNotEqualTo(trace(8));
    }

    /** A run with faults, as everything that its clients were told and when. */
    private static List<String> trace(long seed) {
        SimZooKeeperTest run = new SimZooKeeperTest();
        run.zooKeeper = run.ensemble(seed);
        SeededRandomness faults = new SeededRandomness(seed).fork("faults");
        List<String> trace = new ArrayList<>();
        List<SimZooKeeperClient> clients = List.of(run.connected(), run.connected(), run.connected());
        clients.forEach(client -> client.onState(state -> trace.add(run.now() + " " + state)));
        for (int step = 0; step < 300; step++) {
            SimZooKeeperClient client = faults.pick(clients);
            String path = "/n" + faults.nextInt(5);
            client.create(path, "", CreateMode.EPHEMERAL, result -> trace.add(run.now() + " " + result));
            client.exists(path, fired -> trace.add(run.now() + " fired " + fired), result -> {});
            client.delete(path, -1, result -> trace.add(run.now() + " " + result));
            if (faults.oneIn(20)) {
                client.cut();
            } else {
                client.heal();
            }
            run.loops.advance(Duration.ofMillis(faults.nextInt(800)));
        }
        trace.add(run.zooKeeper.tree().contents().toString());
        return trace;
    }

    private long now() {
        return loops.scheduler().clock().monotonicNs();
    }

    private SimZooKeeperClient connected() {
        SimZooKeeperClient client = zooKeeper.connect(loop, TIMEOUT);
        List<State> states = statesOf(client);
        until(() -> states.contains(State.CONNECTED));
        return client;
    }

    private List<State> statesOf(ZkSession session) {
        List<State> states = new ArrayList<>();
        session.onState(states::add);
        loops.runAll();
        return states;
    }

    private void createEphemeral(ZkSession session, String path) {
        ask(answer -> session.create(path, "", CreateMode.EPHEMERAL, answer::accept));
    }

    private void create(ZkSession session, String path) {
        ask(answer -> session.create(path, "", CreateMode.PERSISTENT, answer::accept));
    }

    private void ask(Consumer<Consumer<ZkResult<?>>> question) {
        List<ZkResult<?>> answers = new ArrayList<>();
        question.accept(answers::add);
        until(() -> !answers.isEmpty());
        assertThat(answers.get(0).isOk()).isTrue();
    }
}
