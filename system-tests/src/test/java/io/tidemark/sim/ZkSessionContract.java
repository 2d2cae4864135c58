package io.tidemark.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.coordination.zookeeper.ZkNode;
import io.tidemark.coordination.zookeeper.ZkOp;
import io.tidemark.coordination.zookeeper.ZkResult;
import io.tidemark.coordination.zookeeper.ZkResult.Kind;
import io.tidemark.coordination.zookeeper.ZkSession;
import io.tidemark.coordination.zookeeper.ZkSession.CreateMode;
import io.tidemark.coordination.zookeeper.ZkSession.State;
import io.tidemark.coordination.zookeeper.ZkSession.ZkWatch;
import io.tidemark.coordination.zookeeper.ZkStat;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** What every {@link ZkSession} promises, told once and held against the simulated and the real ensemble. */
abstract class ZkSessionContract {
    /** A new client of the ensemble, not yet connected. */
    protected abstract ZkSession open();

    /** Ends a session at the server, as an expiry does. */
    protected abstract void expire(long sessionId);

    /** Lets things happen until {@code condition} holds; fails if it never does. */
    protected abstract void until(BooleanSupplier condition);

    @Test
    void shouldCreateReadChangeAndDelete() {
        ZkSession session = connected();

        ZkStat created =
                create(session, "/a", "one \u20ac", CreateMode.PERSISTENT).value();
        ZkNode read = get(session, "/a").value();
        ZkStat changed = set(session, "/a", "two", 0).value();

        assertThat(created).isEqualTo(new ZkStat(0, created.czxid(), 0));
        assertThat(created.czxid()).isPositive();
        assertThat(read).isEqualTo(new ZkNode("one \u20ac", created));
        assertThat(changed).isEqualTo(new ZkStat(1, created.czxid(), 0));
        assertThat(get(session, "/a").value()).isEqualTo(new ZkNode("two", changed));
        assertThat(delete(session, "/a", 1).kind()).isEqualTo(Kind.OK);
        assertThat(get(session, "/a").kind()).isEqualTo(Kind.NO_NODE);
    }

    @Test
    void shouldNameWhatStoodInTheWay() {
        ZkSession session = connected();
        create(session, "/a", "", CreateMode.PERSISTENT);
        create(session, "/a/b", "", CreateMode.PERSISTENT);
        create(session, "/e", "", CreateMode.EPHEMERAL);

        assertThat(create(session, "/a", "", CreateMode.PERSISTENT).kind()).isEqualTo(Kind.NODE_EXISTS);
        assertThat(create(session, "/x/y", "", CreateMode.PERSISTENT).kind()).isEqualTo(Kind.NO_NODE);
        assertThat(create(session, "/e/y", "", CreateMode.PERSISTENT).kind()).isEqualTo(Kind.FAILED);
        assertThat(set(session, "/x", "", 0).kind()).isEqualTo(Kind.NO_NODE);
        assertThat(set(session, "/a", "", 1).kind()).isEqualTo(Kind.BAD_VERSION);
        assertThat(delete(session, "/x", 0).kind()).isEqualTo(Kind.NO_NODE);
        assertThat(delete(session, "/a", 0).kind()).isEqualTo(Kind.NOT_EMPTY);
        assertThat(delete(session, "/a", 7).kind()).isEqualTo(Kind.BAD_VERSION);
        assertThat(delete(session, "/a/b", ZkSession.ANY_VERSION).kind()).isEqualTo(Kind.OK);
        assertThat(children(session, "/x").kind()).isEqualTo(Kind.NO_NODE);
        assertThat(exists(session, "/x").kind()).isEqualTo(Kind.NO_NODE);
    }

    @Test
    void shouldListChildrenSortedAndOnlyThem() {
        ZkSession session = connected();
        for (String path : List.of("/p", "/p/b", "/p/a", "/p/a/deep", "/p-other", "/p/c0")) {
            create(session, path, "", CreateMode.PERSISTENT);
        }

        assertThat(children(session, "/p").value()).containsExactly("a", "b", "c0");
        assertThat(children(session, "/").value()).contains("p", "p-other");
        assertThat(children(session, "/p/b").value()).isEmpty();
    }

    @Test
    void shouldDoAllOfAMultiInOneTransaction() {
        ZkSession session = connected();
        create(session, "/a", "", CreateMode.PERSISTENT);
        create(session, "/gone", "", CreateMode.PERSISTENT);

        ZkResult<List<ZkStat>> done = multi(
                session,
                List.of(
                        new ZkOp.Check("/a", 0),
                        new ZkOp.SetData("/a", "new", 0),
                        new ZkOp.Create("/e", "x", CreateMode.EPHEMERAL),
                        new ZkOp.Delete("/gone", 0)));

        assertThat(done.isOk()).isTrue();
        assertThat(done.value().get(0)).isEqualTo(ZkStat.NONE);
        assertThat(done.value().get(1).version()).isEqualTo(1);
        assertThat(done.value().get(2)).isEqualTo(new ZkStat(0, ZkStat.UNKNOWN, session.sessionId()));
        assertThat(done.value().get(3)).isEqualTo(ZkStat.NONE);
        assertThat(get(session, "/a").value().data()).isEqualTo("new");
        assertThat(exists(session, "/gone").kind()).isEqualTo(Kind.NO_NODE);
        assertThat(exists(session, "/e").value().ephemeralOwner()).isEqualTo(session.sessionId());
    }

    @Test
    void shouldDoNothingOfAMultiThatFailsAndNameTheOperation() {
        ZkSession session = connected();
        create(session, "/a", "old", CreateMode.PERSISTENT);

        ZkResult<List<ZkStat>> stale = multi(
                session,
                List.of(
                        new ZkOp.SetData("/a", "new", 0),
                        new ZkOp.Create("/b", "", CreateMode.PERSISTENT),
                        new ZkOp.Check("/a", 0),
                        new ZkOp.Delete("/a", 1)));
        ZkResult<List<ZkStat>> first = multi(session, List.of(new ZkOp.Check("/a", 5)));

        assertThat(stale).isEqualTo(ZkResult.multiFailed(2));
        assertThat(first).isEqualTo(ZkResult.multiFailed(0));
        assertThat(get(session, "/a").value().data()).isEqualTo("old");
        assertThat(get(session, "/a").value().stat().version()).isZero();
        assertThat(exists(session, "/b").kind()).isEqualTo(Kind.NO_NODE);
    }

    @Test
    void shouldOwnEphemeralNodesUntilItCloses() {
        ZkSession session = connected();
        ZkSession other = connected();

        ZkStat stat = create(session, "/e", "", CreateMode.EPHEMERAL).value();
        assertThat(stat.ephemeralOwner()).isEqualTo(session.sessionId()).isNotZero();
        assertThat(create(other, "/e", "", CreateMode.EPHEMERAL).kind()).isEqualTo(Kind.NODE_EXISTS);

        session.close();
        session.close();
        until(() -> exists(other, "/e").kind() == Kind.NO_NODE);
        assertThat(create(other, "/e", "", CreateMode.EPHEMERAL).value().czxid())
                .isGreaterThan(stat.czxid());
        assertThat(exists(session, "/e").kind()).isEqualTo(Kind.SESSION_EXPIRED);
    }

    @Test
    void shouldFireAWatchOnce() {
        ZkSession session = connected();
        ZkSession other = connected();
        create(session, "/a", "", CreateMode.PERSISTENT);
        List<String> fired = Collections.synchronizedList(new ArrayList<>());
        ZkResult<ZkNode> armed = ask(answer -> session.get("/a", path -> fired.add("get " + path), answer));
        ZkResult<ZkStat> awaited = ask(answer -> session.exists("/b", path -> fired.add("exists " + path), answer));
        ZkResult<List<String>> listed =
                ask(answer -> session.children("/a", path -> fired.add("kids " + path), answer));
        ZkResult<ZkNode> missing = ask(answer -> session.get("/c", path -> fired.add("missing " + path), answer));
        assertThat(List.of(armed.kind(), awaited.kind(), listed.kind(), missing.kind()))
                .containsExactly(Kind.OK, Kind.NO_NODE, Kind.OK, Kind.NO_NODE);

        for (String path : List.of("/b", "/c", "/a/1", "/a/2")) {
            create(other, path, "", CreateMode.PERSISTENT);
        }
        set(other, "/a", "x", 0);
        set(other, "/a", "y", 1);
        set(other, "/b", "y", 0);

        until(() -> fired.size() >= 3);
        // Two more rounds on the watching session, behind which anything that is still under way would have come.
        get(session, "/a");
        get(session, "/a");
        assertThat(fired).containsExactly("exists /b", "kids /a", "get /a");
    }

    @Test
    void shouldFireWhenTheWatchedNodeGoes() {
        ZkSession session = connected();
        ZkSession other = connected();
        create(other, "/e", "", CreateMode.EPHEMERAL);
        List<String> fired = Collections.synchronizedList(new ArrayList<>());
        ZkResult<ZkNode> armed = ask(answer -> session.get("/e", path -> fired.add("get"), answer));
        ZkResult<List<String>> listed = ask(answer -> session.children("/", path -> fired.add("kids"), answer));
        assertThat(armed.isOk() && listed.isOk()).isTrue();

        other.close();

        until(() -> fired.size() == 2);
        assertThat(fired).containsExactlyInAnyOrder("get", "kids");
    }

    @Test
    void shouldAnswerInTheOrderOfTheCallsAndNeverInsideThem() {
        ZkSession session = connected();
        List<Integer> answered = Collections.synchronizedList(new ArrayList<>());
        int calls = 60;
        for (int i = 0; i < calls; i += 3) {
            int number = i;
            session.create("/n" + i, "", CreateMode.PERSISTENT, answer -> answered.add(number));
            session.get("/n" + i, ZkWatch.NONE, answer -> answered.add(answer.isOk() ? number + 1 : -1));
            session.multi(List.of(new ZkOp.Check("/n" + i, 9)), answer -> answered.add(number + 2));
        }

        until(() -> answered.size() == calls);
        assertThat(answered).isSorted().doesNotContain(-1);
    }

    @Test
    void shouldTellExpiryAfterTheAnswersAndComeBackWithAnotherSession() {
        ZkSession session = connected();
        ZkSession other = connected();
        long before = session.sessionId();
        create(session, "/e", "", CreateMode.EPHEMERAL);
        create(session, "/a", "", CreateMode.PERSISTENT);
        List<String> told = Collections.synchronizedList(new ArrayList<>());
        ZkResult<ZkNode> armed = ask(answer -> session.get("/a", path -> told.add("watch"), answer));
        assertThat(armed.isOk()).isTrue();
        session.onState(state -> told.add(state.name()));
        until(() -> told.contains("CONNECTED"));

        expire(before);
        until(() -> told.contains("EXPIRED") && told.get(told.size() - 1).equals("CONNECTED"));

        assertThat(told).containsExactly("CONNECTED", "SUSPENDED", "EXPIRED", "CONNECTED");
        assertThat(session.sessionId()).isNotEqualTo(before).isNotZero();
        assertThat(exists(other, "/e").kind()).isEqualTo(Kind.NO_NODE);
        set(other, "/a", "changed", 0);
        get(session, "/a");
        assertThat(told).doesNotContain("watch");
    }

    private ZkSession connected() {
        ZkSession session = open();
        List<State> states = Collections.synchronizedList(new ArrayList<>());
        session.onState(states::add);
        until(() -> states.contains(State.CONNECTED));
        return session;
    }

    private ZkResult<ZkStat> create(ZkSession session, String path, String data, CreateMode mode) {
        return ask(answer -> session.create(path, data, mode, answer));
    }

    private ZkResult<ZkStat> set(ZkSession session, String path, String data, int version) {
        return ask(answer -> session.set(path, data, version, answer));
    }

    private ZkResult<Void> delete(ZkSession session, String path, int version) {
        return ask(answer -> session.delete(path, version, answer));
    }

    private ZkResult<ZkNode> get(ZkSession session, String path) {
        return ask(answer -> session.get(path, ZkWatch.NONE, answer));
    }

    private ZkResult<ZkStat> exists(ZkSession session, String path) {
        return ask(answer -> session.exists(path, ZkWatch.NONE, answer));
    }

    private ZkResult<List<String>> children(ZkSession session, String path) {
        return ask(answer -> session.children(path, ZkWatch.NONE, answer));
    }

    private ZkResult<List<ZkStat>> multi(ZkSession session, List<ZkOp> operations) {
        return ask(answer -> session.multi(operations, answer));
    }

    private <T> ZkResult<T> ask(Consumer<Consumer<ZkResult<T>>> question) {
        List<ZkResult<T>> answers = Collections.synchronizedList(new ArrayList<>());
        question.accept(answers::add);
        until(() -> !answers.isEmpty());
        return answers.get(0);
    }
}
