package io.tidemark.sim.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.model.Member;
import io.tidemark.model.PartitionState;
import io.tidemark.sim.check.StateStep.Kind;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is written to ZooKeeper is seen as it is written. */
final class StateWatchTest {
    private final Disasters moments = new Disasters();
    private final RecordedCluster cluster = new RecordedCluster();
    private final StateWatch watch = new StateWatch(cluster.tree(), moments);

    @BeforeEach
    void create() {
        cluster.tellOf(watch);
        cluster.controllerEpoch(4);
        cluster.life(1, 1, 101);
        cluster.life(2, 1, 102);
        cluster.state(CheckRig.state(1, 0, 0, 1, 2));
    }

    private static PartitionState ledAnew(int leader, int leaderEpoch, int partitionEpoch, Member entry) {
        PartitionState plain = CheckRig.state(leader, leaderEpoch, partitionEpoch, leader);
        return new PartitionState(
                plain.topicId(),
                plain.partition(),
                leader,
                leaderEpoch,
                partitionEpoch,
                plain.replicas(),
                List.of(entry),
                plain.eligible(),
                2,
                1);
    }

    private List<Kind> kinds() {
        return watch.takeSteps().stream().map(StateStep::kind).toList();
    }

    // Fails if: StateWatch keeps the last write of an event alone
    @Test
    void shouldSeeEachWriteWithWhatItReplaces() {
        // when
        cluster.state(CheckRig.state(1, 0, 1, 1));
        cluster.controllerEpoch(5);
        cluster.life(2, 2, 202);
        cluster.state(CheckRig.state(2, 1, 2, 2));

        // then
        List<StateStep> steps = watch.takeSteps();
        assertThat(steps).extracting(step -> step.after().partitionEpoch()).containsExactly(0, 1, 2);
        assertThat(steps).extracting(StateStep::controllerEpoch).containsExactly(4, 4, 5);
        assertThat(steps.get(0).before()).isNull();
        assertThat(steps.get(2).before()).isEqualTo(steps.get(1).after());
        assertThat(steps.get(1).lives()).containsEntry(2, new RecordedLife(1, 102));
        assertThat(steps.get(2).lives()).containsEntry(2, new RecordedLife(2, 202));
        assertThat(watch.takeSteps()).isEmpty();
        assertThat(watch.takeLivesChanged()).isTrue();
        assertThat(watch.takeLivesChanged()).isFalse();
    }

    // Fails if: StateWatch.onState takes the last state of an epoch for its first
    @Test
    void shouldKnowWhenALeaderEpochBegan() {
        // given
        cluster.state(CheckRig.state(2, 1, 1, 2));

        // when
        moments.struck(2);
        cluster.state(CheckRig.state(2, 1, 2, 2));

        // then
        assertThat(moments.since(2, watch.began(CheckRig.PARTITION, 1))).isTrue();
        cluster.state(CheckRig.state(1, 2, 3, 1));
        assertThat(moments.since(2, watch.began(CheckRig.PARTITION, 2))).isFalse();
    }

    // I12, I14
    // Fails if: StateStep.kind looks at broker ids, not at entries
    @Test
    void shouldTellElectionsApart() {
        cluster.state(CheckRig.state(2, 1, 1, 2));
        cluster.state(CheckRig.state(-1, 2, 2, 2));
        assertThat(kinds()).containsExactly(Kind.CREATED, Kind.CLEAN, Kind.NOBODY_LEADS);
        assertThat(watch.electionsClean(CheckRig.PARTITION)).isTrue();

        cluster.life(2, 2, 202);
        cluster.state(ledAnew(2, 3, 3, new Member(2, 2)));
        assertThat(kinds()).containsExactly(Kind.RECOVERY);
        assertThat(watch.electionsClean(CheckRig.PARTITION)).isFalse();
        assertThat(watch.hadUnclean(CheckRig.PARTITION)).isFalse();

        cluster.state(ledAnew(1, 4, 4, new Member(1, 1)));
        assertThat(kinds()).containsExactly(Kind.UNCLEAN);
        assertThat(watch.hadUnclean(CheckRig.PARTITION)).isTrue();
    }
}
