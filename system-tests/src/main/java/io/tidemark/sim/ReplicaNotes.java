package io.tidemark.sim;

import io.tidemark.replication.partition.PartitionView;
import io.tidemark.sim.check.BatchMark;
import io.tidemark.sim.check.RecordMark;
import io.tidemark.sim.check.ReplicaMirror;
import java.util.Locale;
import java.util.Objects;

/** What a run's trace and digest say about a replica when it changes. */
final class ReplicaNotes {
    private final SimWorld world;

    ReplicaNotes(SimWorld world) {
        this.world = world;
    }

    void changed(ReplicaMirror mirror) {
        PartitionView view = Objects.requireNonNull(mirror.view());
        world.mark(mirror.brokerId());
        world.mark(view.leaderEpoch());
        world.mark(view.highWatermark());
        world.mark(mirror.logEnd());
        world.note(() -> "broker " + mirror.brokerId() + " is "
                + view.role().name().toLowerCase(Locale.ROOT) + " in epoch " + view.leaderEpoch() + ", log "
                + content(mirror) + ", high watermark " + view.highWatermark());
    }

    private static String content(ReplicaMirror mirror) {
        StringBuilder text = new StringBuilder("[");
        for (BatchMark batch : mirror.batches()) {
            for (RecordMark record : batch.records()) {
                if (record.offset() >= mirror.startOffset()) {
                    text.append(text.length() > 1 ? " " : "")
                            .append(record.value() == null ? "" : record.value())
                            .append('/')
                            .append(batch.epoch());
                }
            }
        }
        return text.append(']').toString();
    }
}
