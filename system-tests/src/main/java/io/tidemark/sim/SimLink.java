package io.tidemark.sim;

import io.tidemark.core.testkit.SeededRandomness;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;

/**
 * One direction between two hosts: keeps its order and delays each message by a random time, and does to it what its faults say.
 * Faults draw from a randomness of their own, so that the delays are the same with and without them.
 */
final class SimLink {
    private static final int MIN_DELAY_US = 100;
    private static final int SPREAD_US = 400;
    /** How far a message can fall behind those that overtake it. */
    private static final int LONGEST_DETOUR_US = 20_000;

    private static final long NS_PER_US = 1_000;
    private static final int US_PER_MS = 1_000;
    private static final int PERMILLE = 1_000;

    private final SimWorld world;
    private final int from;
    private final int to;
    private final SeededRandomness delays;
    private final SeededRandomness chances;
    private final Map<MessageKind, MessageGate> gates = new EnumMap<>(MessageKind.class);
    private LinkFaults faults = LinkFaults.NONE;
    private boolean isWell = true;
    private long lastArrivalNs;

    SimLink(SimWorld world, int from, int to) {
        this.world = world;
        this.from = from;
        this.to = to;
        String part = "network/" + from + "-" + to;
        this.delays = world.fork(part);
        this.chances = world.fork(part + "/faults");
    }

    LinkFaults faults() {
        return faults;
    }

    void faults(LinkFaults next) {
        faults = next;
        isWell = next.equals(LinkFaults.NONE);
    }

    MessageGate hold(MessageKind kind) {
        return gates.computeIfAbsent(kind, held -> new MessageGate(this, held));
    }

    void remove(MessageKind kind, MessageGate gate) {
        gates.remove(kind, gate);
    }

    void send(Envelope message) {
        long delayNs = (MIN_DELAY_US + delays.nextInt(SPREAD_US)) * NS_PER_US;
        if (isWell) {
            sendInOrder(message, delayNs);
        } else {
            sendBadly(message, delayNs);
        }
    }

    private void sendBadly(Envelope message, long ordinaryNs) {
        long delayNs = ordinaryNs + chances.nextInt(faults.extraDelayMs() * US_PER_MS + 1) * NS_PER_US;
        if (hits(faults.dropPermille())) {
            note(message, "lost");
            later(delayNs, () -> message.lost(Envelope.Loss.TOLD));
            return;
        }
        if (message.kind().isCall()) {
            repeat(message);
        }
        if (!message.kind().isStreamed() && hits(faults.reorderPermille())) {
            later(delayNs + chances.nextInt(LONGEST_DETOUR_US) * NS_PER_US, () -> reach(message));
        } else {
            sendInOrder(message, delayNs);
        }
    }

    private void sendInOrder(Envelope message, long delayNs) {
        long nowNs = world.clock().monotonicNs();
        lastArrivalNs = Math.max(nowNs + delayNs, lastArrivalNs + 1);
        later(lastArrivalNs - nowNs, () -> reach(message));
    }

    /** A copy of what was sent before, if chance has it so. */
    void repeat(Envelope message) {
        if (hits(faults.duplicatePermille())) {
            long lateNs =
                    MIN_DELAY_US * NS_PER_US + chances.nextInt(faults.latestDuplicateMs() + 1) * NS_PER_US * US_PER_MS;
            later(lateNs, () -> {
                if (!faults.cut()) {
                    note(message, "copy arrives");
                    message.arriveAgain();
                }
            });
        }
    }

    private void reach(Envelope message) {
        MessageGate gate = gates.get(message.kind());
        if (gate == null) {
            pass(message);
        } else {
            gate.hold(message);
        }
    }

    /** Lets a message through that waited at a gate: as an event of its own. */
    void passNow(Envelope message) {
        later(0, () -> pass(message));
    }

    private void pass(Envelope message) {
        if (faults.cut()) {
            message.lost(Envelope.Loss.SILENT);
            return;
        }
        world.mark(message.kind().mark());
        world.mark(((long) from << Integer.SIZE) + to);
        message.arrive();
    }

    private boolean hits(int permille) {
        return permille > 0 && chances.nextInt(PERMILLE) < permille;
    }

    private void later(long delayNs, Runnable task) {
        world.scheduler().schedule(Duration.ofNanos(delayNs), task);
    }

    private void note(Envelope message, String what) {
        world.note(() -> "network " + from + " -> " + to + ": " + message.kind().text() + ": " + what);
    }
}
