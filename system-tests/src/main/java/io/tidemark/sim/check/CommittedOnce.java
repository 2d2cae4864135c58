package io.tidemark.sim.check;

import io.tidemark.model.PartitionState;
import io.tidemark.model.TopicPartition;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What any replica shows below its high watermark at an offset is the same on all and for ever (I2, I5, I15). Whoever shows it first
 * commits it: so this runs before the invariants that ask who has what was committed.
 */
final class CommittedOnce implements Invariant {
    private final SortedMap<TopicPartition, SortedMap<Integer, Shown>> shown = new TreeMap<>();

    private static final class Shown {
        private int generation = -1;
        private int batches;
    }

    @Override
    public String name() {
        return "CommittedOnce";
    }

    @Override
    public void afterEvent(Look look) {
        for (ReplicaMirror mirror : look.changed()) {
            PartitionState confirmed = mirror.state();
            if (confirmed != null && !look.hadUnclean(mirror.partition())) {
                check(mirror, confirmed, look.accountable(mirror.partition()));
            }
        }
    }

    private void check(ReplicaMirror mirror, PartitionState confirmed, Accountable committed) {
        Shown upTo = shown.computeIfAbsent(mirror.partition(), unseen -> new TreeMap<>())
                .computeIfAbsent(mirror.brokerId(), unseen -> new Shown());
        if (upTo.generation != mirror.generation()) {
            upTo.generation = mirror.generation();
            upTo.batches = 0;
        }
        while (upTo.batches < mirror.batches().size()) {
            BatchMark batch = mirror.batches().get(upTo.batches);
            if (batch.lastOffset() >= mirror.highWatermark()) {
                return;
            }
            Optional<BatchMark> other = committed.committed(batch, confirmed);
            if (other.isPresent()) {
                throw new Violation(
                        name(),
                        "I2: broker " + mirror.brokerId() + " shows " + batch.text() + " of epoch " + batch.epoch()
                                + " of " + mirror.partition() + " below its high watermark " + mirror.highWatermark()
                                + ", where " + other.get().text() + " of epoch "
                                + other.get().epoch() + " was committed");
            }
            upTo.batches++;
        }
    }
}
