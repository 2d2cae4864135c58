package io.tidemark.sim.check;

import io.tidemark.model.TopicPartition;
import io.tidemark.replication.partition.PartitionView;
import java.util.SortedMap;
import java.util.TreeMap;

/** A leader epoch has one leader, and that is one process: a later one never leads in it (I9, I10). */
final class OneLeader implements Invariant {
    private final SortedMap<TopicPartition, SortedMap<Integer, Leader>> byEpoch = new TreeMap<>();

    private record Leader(int brokerId, long processNonce) {}

    @Override
    public String name() {
        return "OneLeader";
    }

    @Override
    public void afterEvent(Look look) {
        for (ReplicaMirror mirror : look.changed()) {
            PartitionView view = mirror.view();
            if (view != null && mirror.leads()) {
                check(mirror, view.leaderEpoch());
            }
        }
    }

    private void check(ReplicaMirror mirror, int epoch) {
        Leader now = new Leader(mirror.brokerId(), mirror.processNonce());
        Leader first = byEpoch.computeIfAbsent(mirror.partition(), unseen -> new TreeMap<>())
                .putIfAbsent(epoch, now);
        if (first == null || first.equals(now)) {
            return;
        }
        String what = first.brokerId() == now.brokerId()
                ? "I10: a later process of broker " + now.brokerId() + " leads"
                : "I9: brokers " + first.brokerId() + " and " + now.brokerId() + " both lead";
        throw new Violation(name(), what + " " + mirror.partition() + " in epoch " + epoch);
    }
}
