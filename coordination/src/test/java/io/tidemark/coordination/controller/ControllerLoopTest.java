package io.tidemark.coordination.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.coordination.broker.Push;
import io.tidemark.coordination.cluster.Answer;
import io.tidemark.coordination.cluster.ClusterEvent;
import io.tidemark.coordination.cluster.TopicSpec;
import io.tidemark.coordination.zookeeper.ManualZkSession;
import io.tidemark.coordination.zookeeper.ZkPaths;
import io.tidemark.core.testkit.ManualClock;
import io.tidemark.core.testkit.ManualScheduler;
import io.tidemark.model.ErrorCode;
import io.tidemark.model.TopicId;
import io.tidemark.model.TopicPartition;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.function.LongFunction;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Two brokers that can be controller, on one ensemble: who writes, and who is told what. */
final class ControllerLoopTest {
    private static final TopicPartition T0 = new TopicPartition("t", 0);
    private static final Duration WHILE = Duration.ofSeconds(1);

    private final ManualZkSession.Ensemble ensemble = new ManualZkSession.Ensemble();
    private final ManualScheduler scheduler = new ManualScheduler(new ManualClock(0, 0));
    private final Candidate a = new Candidate(1);
    private final Candidate b = new Candidate(2);
    private long brokers;

    private final class Candidate extends ControllerProcess {
        Candidate(int id) {
            super(id, ensemble, scheduler, null);
        }

        void start() {
            session.connect();
            controller.start();
            run();
            // The first of all makes the epoch node, and stands after a pause.
            scheduler.advance(WHILE);
            run();
        }

        void run() {
            loops.runAll();
        }

        List<Answer> ask(LongFunction<ClusterEvent.Request> request) {
            List<Answer> answers = new ArrayList<>();
            controller.request(request, answers::add);
            return answers;
        }

        List<Answer> create(String topic) {
            return ask(token -> new ClusterEvent.TopicCreationRequested(
                    token, new TopicSpec(topic, 1, 1, new TreeMap<>()), new TopicId(7, token), 0));
        }
    }

    @BeforeEach
    void makeCluster() {
        brokers = ControllerProcess.makeCluster(ensemble);
        register(1);
    }

    private void register(long nonce) {
        ControllerProcess.register(ensemble, brokers, 9, nonce);
    }

    private void runBoth() {
        for (int i = 0; i < 20; i++) {
            a.run();
            b.run();
        }
    }

    /** Another broker takes the office while {@code a} is paused: its node goes, and {@code b} hears of it. */
    private void deposeA() {
        ensemble.tree().delete(brokers, ZkPaths.CONTROLLER, -1);
        for (int i = 0; i < 20; i++) {
            b.run();
        }
    }

    @Test
    void shouldHaveOneControllerThatNumbersItsTerm() {
        // when
        a.start();
        b.start();
        runBoth();

        // then
        assertThat(a.terms).containsExactly(1);
        assertThat(b.terms).isEmpty();
        assertThat(a.pushed).isNotEmpty().allMatch(push -> push.controllerEpoch() == 1);
        List<Answer> answers = b.create("t");
        runBoth();
        assertThat(answers).containsExactly(ControllerLoop.NOT_CONTROLLER);
    }

    /** KAFKA-6082: latched between "am I the controller" and the write, a deposed controller changes nothing. */
    @Test
    void shouldChangeNothingOnceAnotherIsElected() {
        // given a topic, and a decision of A that waits for A's loop
        a.start();
        b.start();
        runBoth();
        a.create("t");
        runBoth();
        List<Answer> late = a.create("late");
        List<Answer> transfer = a.ask(token -> new ClusterEvent.LeaderTransferRequested(token, T0, 9));

        // when
        deposeA();
        var before = ensemble.tree().contents();
        assertThat(b.terms).containsExactly(2);
        a.run();

        // then
        assertThat(ensemble.tree().contents()).isEqualTo(before);
        assertThat(late).containsExactly(ControllerLoop.NOT_CONTROLLER);
        assertThat(transfer).hasSize(1);
        assertThat(ensemble.tree().exists(ZkPaths.topic("late")).isOk()).isFalse();

        // and B goes on
        List<Answer> answers = b.create("later");
        runBoth();
        assertThat(answers).singleElement().isInstanceOf(Answer.TopicCreated.class);
        assertThat(b.pushed).isNotEmpty().allMatch(push -> push.controllerEpoch() == 2);
    }

    /** KAFKA-1096: its number changes by an election only, whatever it reads. */
    @Test
    void shouldNeverPushUnderANumberThatItDidNotWin() {
        // given
        a.start();
        b.start();
        runBoth();
        deposeA();
        a.pushed.clear();

        // when A wakes, and learns of the new epoch before anything else
        runBoth();
        scheduler.advance(WHILE);
        runBoth();

        // then
        assertThat(a.terms).containsExactly(1);
        assertThat(a.pushed).allMatch(push -> push.controllerEpoch() == 1);
    }

    /** CURATOR-696: an own node that survived the outage is no mandate: it takes a new election with a higher number. */
    @Test
    void shouldTakeANewTermAfterItsConnectionWasAway() {
        // given
        a.start();
        runBoth();

        // when
        a.session.suspend();
        a.run();
        List<Answer> meanwhile = a.create("t");
        a.run();
        a.session.connect();
        runBoth();

        // then
        assertThat(meanwhile).containsExactly(ControllerLoop.NOT_CONTROLLER);
        assertThat(a.terms).containsExactly(1, 2);
    }

    /** A lost reply leaves the outcome open: the term is over, and the next one starts from what ZooKeeper holds. */
    @Test
    void shouldReadAgainWhatALostReplyMayHaveDone() {
        // given
        a.start();
        runBoth();

        // when
        a.session.loseReplies(1);
        List<Answer> answers = a.create("t");
        runBoth();
        scheduler.advance(WHILE);
        runBoth();

        // then
        assertThat(answers).containsExactly(ControllerLoop.NOT_CONTROLLER);
        assertThat(a.terms).hasSizeGreaterThan(1);
        List<Answer> again = a.create("t");
        runBoth();
        assertThat(again)
                .singleElement()
                .isInstanceOfSatisfying(
                        Answer.Refused.class,
                        refused -> assertThat(refused.error()).isEqualTo(ErrorCode.TOPIC_ALREADY_EXISTS));
    }

    /** KAFKA-7235: a broker that died and came back between two reads is told by its node's creation. */
    @Test
    void shouldTellANewLifeFromTheOldOneThoughTheSetOfIdsIsTheSame() {
        // given a leader
        a.start();
        runBoth();
        a.create("t");
        runBoth();
        int leaderEpoch = lastState().leaderEpoch();
        long oldEpoch = a.pushed.get(a.pushed.size() - 1).brokerEpoch();

        // when
        ensemble.tree().delete(brokers, ZkPaths.broker(9), -1);
        register(2);
        runBoth();

        // then the new process is told everything, under its own epoch, and does not lead in the old one's term
        Push.Request last = a.pushed.get(a.pushed.size() - 1);
        assertThat(last.brokerEpoch()).isGreaterThan(oldEpoch);
        assertThat(a.pushed)
                .filteredOn(push -> push.brokerEpoch() == last.brokerEpoch())
                .first()
                .satisfies(first -> assertThat(first.update().full()).isTrue());
        assertThat(lastState().leaderEpoch()).isGreaterThan(leaderEpoch);
    }

    private io.tidemark.model.PartitionState lastState() {
        for (int i = a.pushed.size() - 1; i >= 0; i--) {
            for (var topic : a.pushed.get(i).update().topics()) {
                var state = topic.partitions().get(0);
                if (state != null) {
                    return state;
                }
            }
        }
        throw new AssertionError("no push named the partition");
    }
}
