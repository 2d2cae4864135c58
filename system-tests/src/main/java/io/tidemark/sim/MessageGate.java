package io.tidemark.sim;

import java.util.ArrayDeque;

/**
 * Holds the messages of one kind on one link, in the order in which they would have arrived, until they are let through: for
 * scenarios that need one order of events among many.
 */
public final class MessageGate {
    private final SimLink link;
    private final MessageKind kind;
    private final ArrayDeque<Envelope> held = new ArrayDeque<>();

    MessageGate(SimLink link, MessageKind kind) {
        this.link = link;
        this.kind = kind;
    }

    void hold(Envelope message) {
        held.add(message);
    }

    /** Messages that wait here. */
    public int held() {
        return held.size();
    }

    /** Lets the first one through; false if none waits. */
    public boolean deliver() {
        Envelope first = held.poll();
        if (first != null) {
            link.passNow(first);
        }
        return first != null;
    }

    /** Loses what waits, as a broken connection does. The gate stays. */
    public void drop() {
        while (!held.isEmpty()) {
            held.remove().lost(Envelope.Loss.TOLD);
        }
    }

    /** Lets everything through, and all that comes. */
    public void release() {
        link.remove(kind, this);
        while (deliver()) {
            // One after the other, in order.
        }
    }
}
