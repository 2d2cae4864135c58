package io.tidemark.sim.client;

import io.tidemark.model.Acks;
import io.tidemark.sim.SimWorld;
import io.tidemark.sim.plan.ClientPlan;
import java.util.SortedMap;
import java.util.TreeMap;

/** Counts what happens to clients, makes it part of the run's digest, and remembers how far partitions are known to reach. */
final class Tally {
    private final SimWorld world;
    private final ClientObserver observer;
    /** By partition the first offset behind all that is known to be committed. */
    private final SortedMap<Integer, Long> committedEnds = new TreeMap<>();

    private long sent;
    private long acknowledged;
    private long weaklyAcknowledged;
    private long failed;
    private long unknown;
    private long read;
    private long deaths;

    Tally(SimWorld world, ClientObserver observer) {
        this.world = world;
        this.observer = observer;
    }

    void sent(long value) {
        sent++;
        world.mark(value);
    }

    void answered(ClientPlan by, SendOutcome outcome, long value) {
        world.mark(outcome.offset());
        switch (outcome.phase()) {
            case OK -> acknowledged(by, outcome.offset(), value);
            case FAIL -> failed++;
            default -> unknown++;
        }
    }

    private void acknowledged(ClientPlan by, long offset, long value) {
        if (by.acks() == Acks.ALL) {
            acknowledged++;
            committed(by.partition(), offset);
        } else {
            weaklyAcknowledged++;
        }
        if (offset >= 0) {
            observer.acknowledged(by, offset, value);
        }
    }

    void read(int partition, long offset, long value) {
        read++;
        world.mark(offset);
        world.mark(value);
        committed(partition, offset);
    }

    void died() {
        deaths++;
    }

    private void committed(int partition, long offset) {
        committedEnds.merge(partition, offset + 1, Math::max);
    }

    /** The first offset behind all that readers have met or producers were promised. */
    long committedEnd(int partition) {
        return committedEnds.getOrDefault(partition, 0L);
    }

    WorkloadCounts counts() {
        return new WorkloadCounts(sent, acknowledged, weaklyAcknowledged, failed, unknown, read, deaths);
    }
}
