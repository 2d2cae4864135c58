package io.tidemark.sim.check;

import io.tidemark.model.TopicPartition;
import io.tidemark.replication.partition.PartitionView;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** Whoever leads in the highest epoch that anybody has led in holds everything that was committed and is not excused (I1, I8, I12). */
final class LeaderHolds implements Invariant {
    private final SortedMap<TopicPartition, Integer> highest = new TreeMap<>();
    private final SortedMap<TopicPartition, SortedMap<Integer, HeldBatches>> held = new TreeMap<>();

    @Override
    public String name() {
        return "LeaderHolds";
    }

    @Override
    public void afterEvent(Look look) {
        for (ReplicaMirror mirror : look.changed()) {
            PartitionView view = mirror.view();
            if (view != null && mirror.leads()) {
                highest.merge(mirror.partition(), view.leaderEpoch(), Math::max);
            }
        }
        highest.forEach((partition, epoch) -> {
            if (!look.hadUnclean(partition)) {
                check(look, partition, epoch);
            }
        });
    }

    private void check(Look look, TopicPartition partition, int epoch) {
        for (ReplicaMirror mirror : look.mirrors().of(partition)) {
            PartitionView view = mirror.view();
            if (view == null || !view.leadsIn(epoch)) {
                continue;
            }
            Optional<BatchMark> missing = held.computeIfAbsent(partition, unseen -> new TreeMap<>())
                    .computeIfAbsent(mirror.brokerId(), unseen -> new HeldBatches())
                    .firstMissing(mirror, look.accountable(partition));
            if (missing.isPresent()) {
                throw new Violation(name(), message(look, mirror, epoch, missing.get()));
            }
        }
    }

    private static String message(Look look, ReplicaMirror mirror, int epoch, BatchMark missing) {
        boolean acked =
                missing.records().stream().anyMatch(record -> look.isAcked(mirror.partition(), record.offset()));
        return "I1: broker " + mirror.brokerId() + " leads " + mirror.partition() + " in epoch " + epoch
                + " without the " + (acked ? "acknowledged" : "committed") + " record " + missing.text()
                + ", for which brokers "
                + look.accountable(mirror.partition()).answerable(missing.baseOffset()) + " answer; its log ends at "
                + mirror.end();
    }
}
