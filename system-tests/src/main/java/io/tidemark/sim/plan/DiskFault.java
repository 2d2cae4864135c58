package io.tidemark.sim.plan;

import io.tidemark.core.io.FileOperation;
import java.util.List;
import java.util.stream.Collectors;

/** What happens to a machine's disk, and to what was not forced. */
public sealed interface DiskFault extends SimFault {
    @Override
    default FaultFamily family() {
        return FaultFamily.DISK;
    }

    /** Machines lose power at the same moment, and what was not forced. */
    record PowerLoss(List<Target> who, int lastsMs) implements DiskFault {
        public PowerLoss {
            who = List.copyOf(who);
        }

        @Override
        public PowerLoss lasting(int otherMs) {
            return new PowerLoss(who, otherMs);
        }

        @Override
        public String text() {
            String targets = who.stream().map(Target::text).collect(Collectors.joining(" "));
            return "power-loss " + targets + " down " + lastsMs + "ms";
        }
    }

    /** The next call of one kind to a broker's files fails, which ends its process; its watchdog starts it again. */
    record FailIo(Target who, FileOperation operation) implements DiskFault {
        @Override
        public String text() {
            return "fail-io " + who.text() + " " + operation.specName();
        }
    }

    /** @param freeBytes that are left meanwhile */
    record DiskFull(Target who, int freeBytes, int lastsMs) implements DiskFault {
        @Override
        public DiskFull lasting(int otherMs) {
            return new DiskFull(who, freeBytes, otherMs);
        }

        @Override
        public String text() {
            return "disk-full " + who.text() + " free " + freeBytes + " for " + lastsMs + "ms";
        }
    }

    /** @param forceMs longest time that a force takes meanwhile */
    record SlowForce(Target who, int forceMs, int lastsMs) implements DiskFault {
        @Override
        public SlowForce lasting(int otherMs) {
            return new SlowForce(who, forceMs, otherMs);
        }

        @Override
        public String text() {
            return "slow-force " + who.text() + " takes " + forceMs + "ms for " + lastsMs + "ms";
        }
    }

    /** The machine comes back with an empty disk. */
    record Wipe(Target who, int lastsMs) implements DiskFault {
        @Override
        public Wipe lasting(int otherMs) {
            return new Wipe(who, otherMs);
        }

        @Override
        public String text() {
            return "wipe " + who.text() + " down " + lastsMs + "ms";
        }
    }

    /** Bits of a sealed segment turn over. */
    record FlipBits(Target who) implements DiskFault {
        @Override
        public String text() {
            return "flip-bits " + who.text();
        }
    }
}
