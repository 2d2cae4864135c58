package io.tidemark.sim.run;

import io.tidemark.sim.LinkFaults;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The faults that are on each link at the moment. Several may be on one: the link is then as bad as the worst of each kind, and the end
 * of one leaves the others.
 */
final class TroubledLinks {
    private final Switch network;
    private final SortedMap<Integer, SortedMap<Integer, List<Trouble>>> links = new TreeMap<>();

    /** Where a link's faults are set. */
    @FunctionalInterface
    interface Switch {
        void set(int from, int to, LinkFaults faults);
    }

    /** One fault on one link; equal to itself alone. */
    private static final class Trouble {
        private final LinkFaults faults;

        private Trouble(LinkFaults faults) {
            this.faults = faults;
        }
    }

    TroubledLinks(Switch network) {
        this.network = network;
    }

    /** Puts a fault on a link; the task that comes back takes it off. */
    Runnable trouble(int from, int to, LinkFaults faults) {
        Trouble trouble = new Trouble(faults);
        List<Trouble> here =
                links.computeIfAbsent(from, id -> new TreeMap<>()).computeIfAbsent(to, id -> new ArrayList<>());
        here.add(trouble);
        network.set(from, to, worst(here));
        return () -> {
            if (here.remove(trouble)) {
                network.set(from, to, worst(here));
            }
        };
    }

    private static LinkFaults worst(List<Trouble> troubles) {
        LinkFaults worst = LinkFaults.NONE;
        for (Trouble trouble : troubles) {
            worst = worst(worst, trouble.faults);
        }
        return worst;
    }

    private static LinkFaults worst(LinkFaults a, LinkFaults b) {
        return new LinkFaults(
                a.cut() || b.cut(),
                Math.max(a.dropPermille(), b.dropPermille()),
                Math.max(a.duplicatePermille(), b.duplicatePermille()),
                Math.max(a.reorderPermille(), b.reorderPermille()),
                Math.max(a.extraDelayMs(), b.extraDelayMs()),
                Math.max(a.latestDuplicateMs(), b.latestDuplicateMs()));
    }
}
