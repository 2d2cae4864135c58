package io.tidemark.sim.plan;

import io.tidemark.sim.LinkFaults;
import io.tidemark.sim.MessageKind;

/** What goes wrong between hosts. What each means for calls and for streams is the network's to say. */
public sealed interface NetworkFault extends SimFault {
    @Override
    default FaultFamily family() {
        return FaultFamily.NETWORK;
    }

    /** Something that one link does to its messages. */
    sealed interface OnLink extends NetworkFault {
        Link link();

        /** What is wrong with the link meanwhile. */
        LinkFaults faults();
    }

    /** Nothing passes, in one direction. */
    record Cut(Link link, int lastsMs) implements OnLink {
        @Override
        public LinkFaults faults() {
            return LinkFaults.NONE.withCut();
        }

        @Override
        public Cut lasting(int otherMs) {
            return new Cut(link, otherMs);
        }

        @Override
        public String text() {
            return "cut " + link.text() + " for " + lastsMs + "ms";
        }
    }

    /** @param delayMs longest time by which a message is late */
    record Slow(Link link, int delayMs, int lastsMs) implements OnLink {
        @Override
        public LinkFaults faults() {
            return LinkFaults.NONE.withExtraDelay(delayMs);
        }

        @Override
        public Slow lasting(int otherMs) {
            return new Slow(link, delayMs, otherMs);
        }

        @Override
        public String text() {
            return "slow " + link.text() + " delay " + delayMs + "ms for " + lastsMs + "ms";
        }
    }

    /** @param permille of messages that are lost with their connection */
    record Drop(Link link, int permille, int lastsMs) implements OnLink {
        @Override
        public LinkFaults faults() {
            return LinkFaults.NONE.withDrops(permille);
        }

        @Override
        public Drop lasting(int otherMs) {
            return new Drop(link, permille, otherMs);
        }

        @Override
        public String text() {
            return "drop " + link.text() + " permille " + permille + " for " + lastsMs + "ms";
        }
    }

    /**
     * @param permille of requests of which a copy arrives
     * @param latestMs longest time by which a copy is late
     */
    record Duplicate(Link link, int permille, int latestMs, int lastsMs) implements OnLink {
        @Override
        public LinkFaults faults() {
            return LinkFaults.NONE.withDuplicates(permille, latestMs);
        }

        @Override
        public Duplicate lasting(int otherMs) {
            return new Duplicate(link, permille, latestMs, otherMs);
        }

        @Override
        public String text() {
            return "duplicate " + link.text() + " permille " + permille + " late " + latestMs + "ms for " + lastsMs
                    + "ms";
        }
    }

    /** @param permille of single calls that others may overtake */
    record Reorder(Link link, int permille, int lastsMs) implements OnLink {
        @Override
        public LinkFaults faults() {
            return LinkFaults.NONE.withReorder(permille);
        }

        @Override
        public Reorder lasting(int otherMs) {
            return new Reorder(link, permille, otherMs);
        }

        @Override
        public String text() {
            return "reorder " + link.text() + " permille " + permille + " for " + lastsMs + "ms";
        }
    }

    /** Nothing passes between a broker and the other brokers, in both directions. Its clients and ZooKeeper reach it. */
    record Isolate(Target who, int lastsMs) implements NetworkFault {
        @Override
        public Isolate lasting(int otherMs) {
            return new Isolate(who, otherMs);
        }

        @Override
        public String text() {
            return "isolate " + who.text() + " for " + lastsMs + "ms";
        }
    }

    /** Messages of one kind wait on a link, and pass in order when the time is over. */
    record Hold(MessageKind kind, Link link, int lastsMs) implements NetworkFault {
        @Override
        public Hold lasting(int otherMs) {
            return new Hold(kind, link, otherMs);
        }

        @Override
        public String text() {
            return "hold " + kind.text() + " " + link.text() + " for " + lastsMs + "ms";
        }
    }
}
