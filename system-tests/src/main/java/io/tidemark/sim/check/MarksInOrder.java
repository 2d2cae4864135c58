package io.tidemark.sim.check;

import io.tidemark.core.config.TruncationMode;
import io.tidemark.replication.partition.PartitionView;
import io.tidemark.replication.partition.PartitionView.Role;
import java.util.List;

/**
 * On each replica: log start, high watermark and log end are in this order; the high watermark falls only when the log is cut, and
 * after clean elections nothing below it is ever cut (I1, I17); no batch is of a greater epoch than the replica's leader epoch, and
 * epochs do not fall along the log (I5, I10).
 */
final class MarksInOrder implements Invariant {
    private final TruncationMode truncation;

    /** @param truncation nothing is said about cuts in the mode that is known to lose records */
    MarksInOrder(TruncationMode truncation) {
        this.truncation = truncation;
    }

    @Override
    public String name() {
        return "MarksInOrder";
    }

    @Override
    public void afterEvent(Look look) {
        for (ReplicaMirror mirror : look.changed()) {
            PartitionView view = mirror.view();
            if (view != null) {
                checkOrder(mirror, view);
                checkFall(mirror, view);
                checkEpochs(mirror, view);
                if (view.truncations() > 0
                        && truncation == TruncationMode.LEADER_EPOCH
                        && look.electionsClean(mirror.partition())) {
                    checkCuts(mirror);
                }
            }
        }
    }

    private void checkOrder(ReplicaMirror mirror, PartitionView view) {
        long logEnd = mirror.logEnd();
        if (mirror.startOffset() > view.highWatermark() || view.highWatermark() > logEnd) {
            throw violation(
                    "I17",
                    mirror,
                    "has high watermark " + view.highWatermark() + " outside its log from " + mirror.startOffset()
                            + " to " + logEnd);
        }
    }

    private void checkFall(ReplicaMirror mirror, PartitionView view) {
        PartitionView before = mirror.viewBefore();
        if (before != null
                && view.highWatermark() < before.highWatermark()
                && view.truncations() == before.truncations()) {
            throw violation(
                    "I17",
                    mirror,
                    "lowered its high watermark from " + before.highWatermark() + " to " + view.highWatermark()
                            + " and cut nothing");
        }
    }

    private void checkCuts(ReplicaMirror mirror) {
        if (mirror.cutsBelowHighWatermark() > 0) {
            throw violation("I1", mirror, "cut its log below its high watermark after clean elections");
        }
    }

    private void checkEpochs(ReplicaMirror mirror, PartitionView view) {
        List<BatchMark> batches = mirror.batches();
        if (batches.isEmpty()) {
            return;
        }
        int last = batches.get(batches.size() - 1).epoch();
        if (view.role() != Role.NONE && last > view.leaderEpoch()) {
            throw violation("I10", mirror, "has a batch of epoch " + last + " in leader epoch " + view.leaderEpoch());
        }
        if (batches.size() > 1 && batches.get(batches.size() - 2).epoch() > last) {
            throw violation("I5", mirror, "has a batch of epoch " + last + " behind one of a greater epoch");
        }
    }

    private Violation violation(String rule, ReplicaMirror mirror, String what) {
        return new Violation(
                name(), rule + ": broker " + mirror.brokerId() + " " + what + " (" + mirror.partition() + ")");
    }
}
