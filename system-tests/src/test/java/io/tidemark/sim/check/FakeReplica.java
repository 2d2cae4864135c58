package io.tidemark.sim.check;

import io.tidemark.core.log.LogEnd;
import io.tidemark.model.PartitionState;
import io.tidemark.replication.partition.PartitionView;
import io.tidemark.replication.partition.PartitionView.Role;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** A replica that has and shows what a test says. */
final class FakeReplica implements ReplicaSource {
    private final List<BatchMark> batches = new ArrayList<>();
    private LogEnd end = new LogEnd(0, 0, -1);
    private @Nullable PartitionView view;
    private @Nullable PartitionState state;
    private long truncations;
    long start;
    long forced;
    long cuts;
    boolean failed;
    OptionalLong cleaned = OptionalLong.empty();

    /** One batch with a record for each value. */
    FakeReplica append(int epoch, String... values) {
        return append(Marks.batch(end.offset(), epoch, values));
    }

    FakeReplica append(BatchMark batch) {
        batches.add(batch);
        end = new LogEnd(batch.lastOffset() + 1, 0, batch.epoch());
        return this;
    }

    FakeReplica cutTo(long offset) {
        batches.removeIf(batch -> batch.lastOffset() >= offset);
        int epoch = batches.isEmpty() ? -1 : batches.get(batches.size() - 1).epoch();
        end = new LogEnd(offset, 0, epoch);
        truncations++;
        return this;
    }

    /** Shows a role, in the state that it has adopted. */
    FakeReplica shows(PartitionState adopted, Role role, long highWatermark) {
        state = adopted;
        view = new PartitionView(
                role, adopted.leaderEpoch(), adopted.leader(), highWatermark, -1, role == Role.LEADER, truncations);
        return this;
    }

    @Override
    public LogEnd end() {
        return end;
    }

    @Override
    public long startOffset() {
        return start;
    }

    @Override
    public long truncations() {
        return truncations;
    }

    @Override
    public long forcedEnd() {
        return forced;
    }

    @Override
    public @Nullable List<BatchMark> read(long from) {
        if (failed) {
            return null;
        }
        return batches.stream().filter(batch -> batch.lastOffset() >= from).toList();
    }

    @Override
    public @Nullable PartitionView view() {
        return view;
    }

    @Override
    public @Nullable PartitionState state() {
        return state;
    }

    @Override
    public long cutsBelowHighWatermark() {
        return cuts;
    }

    @Override
    public OptionalLong cleanedTo() {
        return cleaned;
    }
}
