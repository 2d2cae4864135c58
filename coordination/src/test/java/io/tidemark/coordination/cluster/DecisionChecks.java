package io.tidemark.coordination.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.model.Member;
import io.tidemark.model.PartitionState;
import io.tidemark.model.TopicPartition;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SortedSet;
import java.util.TreeSet;

/** What must hold of every decision, whatever the event was. */
final class DecisionChecks {
    private DecisionChecks() {}

    static void check(ClusterState before, Decision decision) {
        SortedSet<TopicPartition> written = new TreeSet<>();
        for (StateWrite write : decision.writes()) {
            if (write instanceof StateWrite.PutPartitionState put) {
                assertThat(written.add(put.state().partition()))
                        .as("one write for each partition")
                        .isTrue();
                checkPartition(before, decision, put);
            } else if (write instanceof StateWrite.PutIncarnation put) {
                Incarnation old = before.incarnations()
                        .get(put.incarnation().registration().id());
                assertThat(put.expectedVersion()).isEqualTo(old == null ? StateWrite.NO_NODE : old.version());
                assertThat(put.incarnation().number()).isGreaterThanOrEqualTo(old == null ? 1 : old.number());
            } else if (write instanceof StateWrite.PutProducerIds put) {
                assertThat(put.expectedVersion()).isEqualTo(before.producerIds().version());
                assertThat(put.firstId()).isEqualTo(before.producerIds().nextId());
            }
        }
        checkUnwritten(before, decision.next(), written);
        checkOrder(decision.writes());
    }

    private static void checkPartition(ClusterState before, Decision decision, StateWrite.PutPartitionState put) {
        ClusterState next = decision.next();
        PartitionState now = put.state();
        VersionedState old = Objects.requireNonNull(before.partition(now.partition()));
        assertThat(put.expectedVersion()).isEqualTo(old.version());
        assertThat(next.partition(now.partition())).isEqualTo(new VersionedState(now, old.version() + 1));
        assertThat(now.partitionEpoch()).isEqualTo(old.state().partitionEpoch() + 1);
        assertThat(now.controllerEpoch()).isEqualTo(before.controllerEpoch());
        assertThat(now.replicas()).isEqualTo(old.state().replicas());
        assertThat(now.isr()).isNotEmpty();
        assertThat(now.replicas()).containsAll(now.isrIds());
        assertThat(now.isrIds()).doesNotHaveDuplicates();
        checkLeader(next, old.state(), now);
        checkEligible(old.state(), now, decision.notices());
    }

    private static void checkLeader(ClusterState next, PartitionState old, PartitionState now) {
        assertThat(now.leaderEpoch()).isGreaterThanOrEqualTo(old.leaderEpoch());
        if (now.leader() != old.leader()) {
            assertThat(now.leaderEpoch()).isGreaterThan(old.leaderEpoch());
        }
        if (now.hasLeader() && now.leaderEpoch() > old.leaderEpoch()) {
            Member entry = now.isr().stream()
                    .filter(member -> member.brokerId() == now.leader())
                    .findFirst()
                    .orElseThrow();
            assertThat(next.registrations()).containsKey(now.leader());
            assertThat(next.departures()).doesNotContainKey(now.leader());
            assertThat(Objects.requireNonNull(next.incarnations().get(now.leader()))
                            .member())
                    .isEqualTo(entry);
        } else if (now.hasLeader()) {
            assertThat(now.isrIds()).contains(now.leader());
        }
    }

    private static void checkEligible(PartitionState old, PartitionState now, List<Notice> notices) {
        if (now.isr().size() >= now.effectiveMinIsr() || now.effectiveMinIsr() < old.effectiveMinIsr()) {
            if (now.isr().size() >= now.effectiveMinIsr() || now.isr().equals(old.isr())) {
                assertThat(now.eligible()).isEmpty();
            }
            return;
        }
        List<Member> expected = new ArrayList<>(old.eligible());
        expected.addAll(old.isr());
        expected.removeIf(member -> now.inIsr(member.brokerId()));
        expected.removeIf(member -> notices.contains(
                new Notice(Notice.Kind.REPLICA_DAMAGED, DamagedReplicas.noticeText(now, member.brokerId()))));
        assertThat(now.eligible()).containsExactlyInAnyOrderElementsOf(expected);
    }

    private static void checkUnwritten(ClusterState before, ClusterState next, SortedSet<TopicPartition> written) {
        next.topics()
                .values()
                .forEach(topic -> topic.partitions().values().forEach(each -> {
                    TopicPartition partition = each.state().partition();
                    VersionedState old = before.partition(partition);
                    if (old != null && !written.contains(partition)) {
                        assertThat(each).as("changed without a write").isEqualTo(old);
                    }
                }));
    }

    private static void checkOrder(List<StateWrite> writes) {
        boolean incarnations = false;
        for (StateWrite write : writes) {
            incarnations |= write instanceof StateWrite.PutIncarnation;
            assertThat(incarnations && write instanceof StateWrite.PutPartitionState)
                    .as("a partition is written before the incarnation that concerns it")
                    .isFalse();
        }
    }
}
