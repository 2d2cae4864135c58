package io.tidemark.sim.script;

import io.tidemark.sim.MessageGate;
import io.tidemark.sim.MessageKind;
import io.tidemark.sim.SimNetwork;
import io.tidemark.sim.SimWorld;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The gates that a scenario has put up, by what they hold. */
final class Gates {
    private final SimWorld world;
    private final SimNetwork network;
    private final Map<Place, MessageGate> gates = new LinkedHashMap<>();

    /** What a gate holds, and where. */
    record Place(MessageKind kind, int from, int to) {
        @Override
        public String toString() {
            return kind.text() + " " + from + " -> " + to;
        }
    }

    Gates(SimWorld world, SimNetwork network) {
        this.world = world;
        this.network = network;
    }

    void hold(Place place) {
        world.note("hold " + place);
        gates.put(place, network.hold(place.kind(), place.from(), place.to()));
    }

    /** Lets that many through; false if fewer wait. */
    boolean deliver(Place place, int count) {
        MessageGate gate = gates.get(place);
        if (gate == null || gate.held() < count) {
            return false;
        }
        world.note("deliver " + count + " " + place);
        for (int i = 0; i < count; i++) {
            gate.deliver();
        }
        return true;
    }

    /** Loses what waits; false if nothing is held there. */
    boolean drop(Place place) {
        MessageGate gate = gates.get(place);
        if (gate != null) {
            world.note("drop " + place);
            gate.drop();
        }
        return gate != null;
    }

    /** Holds no more; false if nothing is held there. */
    boolean release(Place place) {
        MessageGate gate = gates.remove(place);
        if (gate != null) {
            world.note("release " + place);
            gate.release();
        }
        return gate != null;
    }

    void releaseAll() {
        List.copyOf(gates.keySet()).forEach(this::release);
    }

    /** How many wait there. */
    int waiting(Place place) {
        MessageGate gate = gates.get(place);
        return gate == null ? 0 : gate.held();
    }
}
