package io.tidemark.coordination.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.coordination.broker.ClusterIdentity.Resolved;
import io.tidemark.coordination.zookeeper.ManualZkSession;
import io.tidemark.coordination.zookeeper.ZkPaths;
import io.tidemark.coordination.zookeeper.ZkSession.CreateMode;
import io.tidemark.core.testkit.ManualClock;
import io.tidemark.core.testkit.ManualEventLoops;
import io.tidemark.core.testkit.ManualScheduler;
import io.tidemark.core.testkit.SeededRandomness;
import io.tidemark.runtime.EventLoop;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class ClusterIdentityTest {
    private final ManualEventLoops loops = new ManualEventLoops(new ManualScheduler(new ManualClock()));
    private final EventLoop loop = loops.open("broker");
    private final ManualZkSession.Ensemble ensemble = new ManualZkSession.Ensemble();

    @Test
    void shouldGiveAllBrokersOfANewClusterOneId() {
        // given two brokers that start together
        List<Resolved> answers = new ArrayList<>();
        ManualZkSession first = resolve(1, Optional.empty(), answers);
        ManualZkSession second = resolve(2, Optional.empty(), answers);

        // when
        first.connect();
        second.connect();
        loops.runAll();

        // then
        assertThat(answers).hasSize(2);
        assertThat(answers.get(0).clusterId())
                .isNotEmpty()
                .isEqualTo(answers.get(1).clusterId());
        assertThat(ensemble.tree().contents().keySet()).containsAll(ZkPaths.SKELETON);
    }

    @Test
    void shouldAcceptItsOwnClusterAndRefuseAnother() {
        // given
        String id = created();

        // then
        assertThat(answerFor(Optional.of(id))).isEqualTo(new Resolved(id, ""));
        Resolved other = answerFor(Optional.of("elsewhere"));
        assertThat(other.clusterId()).isNull();
        assertThat(other.problem()).contains("elsewhere", id);
    }

    @Test
    void shouldNotBringOldDataIntoAnEmptyZooKeeper() {
        Resolved answer = answerFor(Optional.of("c1"));

        assertThat(answer.clusterId()).isNull();
        assertThat(answer.problem()).contains("c1", "holds no cluster");
        assertThat(ensemble.tree().exists(ZkPaths.CLUSTER_ID).isOk()).isFalse();
    }

    @Test
    void shouldRefuseAnUnreadableId() {
        ensemble.tree().create(0, ZkPaths.CLUSTER, "", CreateMode.PERSISTENT);
        ensemble.tree().create(0, ZkPaths.CLUSTER_ID, "c1", CreateMode.PERSISTENT);

        assertThat(answerFor(Optional.empty()).problem()).contains("bad content of /cluster/id");
    }

    @Test
    void shouldAnswerOnceWhateverReplyIsLost() {
        for (int lost = 0; lost < 14; lost++) {
            ClusterIdentityTest run = new ClusterIdentityTest();
            List<Resolved> answers = new ArrayList<>();
            ManualZkSession session = run.resolve(1, Optional.empty(), answers);
            session.connect();
            int tasks = 0;
            while (run.loops.runOne()) {
                if (tasks++ == lost) {
                    session.loseReplies(1);
                }
            }
            run.loops.advance(Duration.ofSeconds(5));
            assertThat(answers).as("reply lost after task %d", lost).hasSize(1);
            assertThat(answers.get(0).problem()).isEmpty();
        }
    }

    private String created() {
        return answerFor(Optional.empty()).clusterId();
    }

    private Resolved answerFor(Optional<String> own) {
        List<Resolved> answers = new ArrayList<>();
        resolve(3, own, answers).connect();
        loops.runAll();
        return answers.get(0);
    }

    private ManualZkSession resolve(long seed, Optional<String> own, List<Resolved> answers) {
        ManualZkSession session = ensemble.client(loop);
        ClusterIdentity.resolve(session, loop, new SeededRandomness(seed), own, answers::add);
        return session;
    }
}
