package io.tidemark.sim;

import io.tidemark.coordination.broker.PeerProbe.Outcome;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Messages between hosts, as gRPC over TCP carries them. Each link keeps its order and delays each message by a random time, unless
 * its {@linkplain LinkFaults faults} or a {@linkplain MessageGate gate} say otherwise.
 *
 * <table>
 * <caption>What becomes of a request</caption>
 * <tr><th>event</th><th>a single call</th><th>a stream</th></tr>
 * <tr><td>the link is cut</td><td>null after its timeout</td><td>what follows is lost with it; null for all that is outstanding
 *     after the first timeout</td></tr>
 * <tr><td>it is dropped</td><td>null</td><td>the stream breaks: null for all that is outstanding</td></tr>
 * <tr><td>nobody listens</td><td>null</td><td>the stream breaks</td></tr>
 * <tr><td>the other process ends</td><td>null, if it had got the call</td><td>the stream breaks</td></tr>
 * <tr><td>the other machine loses power</td><td>null after its timeout</td><td>breaks when the next process is asked, or by a
 *     timeout</td></tr>
 * <tr><td>it comes twice</td><td>served twice</td><td>only by a copy of what was outstanding when the stream broke</td></tr>
 * </table>
 *
 * <p>A host's messages to itself meet no faults. Answers reach the caller's process: later if it is paused, never if it is dead.
 */
public final class SimNetwork {
    private final SimWorld world;
    private final SortedMap<Integer, SortedMap<Integer, SimLink>> links = new TreeMap<>();
    private final Set<Outstanding> outstanding = new LinkedHashSet<>();

    /** Something that waits for another host: a call, or a stream with requests on it. */
    interface Outstanding {
        /** The process that waits. */
        ProcessThreads caller();

        /** The process that has it; null while it is on its way. */
        @Nullable
        ProcessThreads holder();

        /** Its connection is gone: no answer comes. */
        void reset();

        /** The process that waits is dead; its host closes its connections. */
        default void callerEnded() {}
    }

    /**
     * Where a call goes.
     *
     * @param kind a {@linkplain MessageKind#isCall single call}
     * @param from who asks
     * @param to which host; whoever runs there when the call arrives gets it
     * @param timeout by the caller's clock
     */
    public record Route(MessageKind kind, ProcessThreads from, NetworkPeer to, Duration timeout) {}

    public SimNetwork(SimWorld world) {
        this.world = world;
    }

    /** What is wrong from now on with one direction between two hosts; counts for what is on its way, too, if it is cut. */
    public void faults(int from, int to, LinkFaults faults) {
        if (from != to) {
            link(from, to).faults(faults);
        }
    }

    /** What is wrong with one direction between two hosts. */
    public LinkFaults faults(int from, int to) {
        return link(from, to).faults();
    }

    /** Nothing passes from one host to the other any more, in this direction; other faults stay. */
    public void cut(int from, int to) {
        faults(from, to, faults(from, to).withCut());
    }

    /** What is sent passes again, in this direction; other faults stay. */
    public void heal(int from, int to) {
        faults(from, to, faults(from, to).withoutCut());
    }

    /** Nothing is wrong with any link any more. Gates stay. */
    public void healAll() {
        links.values().forEach(byTarget -> byTarget.values().forEach(link -> link.faults(LinkFaults.NONE)));
    }

    /** Holds what arrives of one kind on one link, from now on until the gate is released. */
    public MessageGate hold(MessageKind kind, int from, int to) {
        return link(from, to).hold(kind);
    }

    /**
     * Asks a host.
     *
     * @param serve given what to answer with, null for no answer; runs in the process there, once for each copy that arrives
     * @param answer given at most once, in the caller's process; null for no answer
     */
    public <A> void call(Route route, Consumer<Consumer<@Nullable A>> serve, Consumer<@Nullable A> answer) {
        if (!route.kind().isCall()) {
            throw new IllegalArgumentException(route.kind() + " is no single call");
        }
        new SimCall<>(this, route, serve, answer).start();
    }

    /** A stream of requests from a process to a host, which opens itself anew after each break. */
    public SimStream open(MessageKind kind, ProcessThreads from, NetworkPeer to) {
        return open(kind, from, to, SimStream.Ends.NOBODY);
    }

    /** The same; its ends are told. */
    SimStream open(MessageKind kind, ProcessThreads from, NetworkPeer to, SimStream.Ends ends) {
        if (!kind.isStreamed()) {
            throw new IllegalArgumentException(kind + " is no stream");
        }
        return new SimStream(this, kind, from, to, ends);
    }

    /** Opens a connection to a host and drops it again; given up after a moment. */
    void connect(ProcessThreads from, NetworkPeer to, Consumer<Outcome> outcome) {
        new SimConnect(this, from, to, outcome).start();
    }

    /** Tells a host something that nobody answers; lost if nobody listens. */
    public void tell(MessageKind kind, ProcessThreads from, NetworkPeer to, Runnable arrive) {
        if (!kind.isNotice()) {
            throw new IllegalArgumentException(kind + " is answered");
        }
        link(from.id(), to.id()).send(new Notice(kind, to, arrive));
    }

    /** A process is dead, and its host closes its connections: whoever waits for it hears so, over links that carry it. */
    public void processEnded(ProcessThreads ended) {
        for (Outstanding waiting : List.copyOf(outstanding)) {
            if (waiting.caller() == ended) {
                waiting.callerEnded();
            }
        }
        forgetCallers();
        for (Outstanding waiting : List.copyOf(outstanding)) {
            if (waiting.holder() == ended) {
                sendReset(ended.id(), waiting);
            }
        }
    }

    /** A process is gone with its machine: nobody is told. */
    public void machineLost() {
        forgetCallers();
    }

    private void forgetCallers() {
        outstanding.removeIf(waiting -> !waiting.caller().isAlive());
    }

    void begin(Outstanding waiting) {
        outstanding.add(waiting);
    }

    void end(Outstanding waiting) {
        outstanding.remove(waiting);
    }

    /** Calls and streams that wait for something. */
    int outstanding() {
        return outstanding.size();
    }

    SimLink link(int from, int to) {
        SortedMap<Integer, SimLink> byTarget = links.computeIfAbsent(from, source -> new TreeMap<>());
        SimLink known = byTarget.get(to);
        if (known == null) {
            known = new SimLink(world, from, to);
            byTarget.put(to, known);
        }
        return known;
    }

    /** Tells a caller that what it waits for never comes. */
    void sendReset(int from, Outstanding waiting) {
        link(from, waiting.caller().id()).send(new Reset(waiting));
    }

    private record Notice(MessageKind kind, NetworkPeer to, Runnable task) implements Envelope {
        @Override
        public void arrive() {
            ProcessThreads there = to.threads();
            if (there != null) {
                there.enter(task);
            }
        }

        @Override
        public void lost(Loss loss) {}

        @Override
        public void arriveAgain() {}
    }

    /** A connection is reset: it travels like a message, and nothing is repeated. */
    private record Reset(Outstanding waiting) implements Envelope {
        @Override
        public MessageKind kind() {
            return MessageKind.RESET;
        }

        @Override
        public void arrive() {
            waiting.reset();
        }

        @Override
        public void lost(Loss loss) {
            if (loss == Loss.TOLD) {
                waiting.reset();
            }
        }

        @Override
        public void arriveAgain() {}
    }
}
