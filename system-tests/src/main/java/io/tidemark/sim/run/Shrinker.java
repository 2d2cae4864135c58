package io.tidemark.sim.run;

import io.tidemark.sim.plan.ClientPlan;
import io.tidemark.sim.plan.SimPlan;
import io.tidemark.sim.plan.TimedFault;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/**
 * Makes a plan that goes wrong smaller, step by step, as long as it still goes wrong: fewer faults, by halves and then one by one
 * (delta debugging, Zeller and Hildebrandt 2002), fewer clients, a shorter run, shorter faults, rounder times. What comes out goes
 * wrong, too, and no single fault can be taken out of it, if there were probes enough.
 */
public final class Shrinker {
    private static final int ROUND_MS = 100;
    private static final int SHORTEST_MS = 10;

    private final Predicate<SimPlan> stillFails;
    private final int maxProbes;
    private SimPlan best;
    private int probes;

    private Shrinker(SimPlan plan, Predicate<SimPlan> stillFails, int maxProbes) {
        this.best = plan;
        this.stillFails = stillFails;
        this.maxProbes = maxProbes;
    }

    /**
     * The smallest plan that was found.
     *
     * @param plan goes wrong
     * @param stillFails whether another plan goes wrong in the same way; answers the same for equal plans
     * @param maxProbes how often it is asked at most
     */
    public static SimPlan shrink(SimPlan plan, Predicate<SimPlan> stillFails, int maxProbes) {
        Shrinker shrinker = new Shrinker(plan, stillFails, maxProbes);
        SimPlan before;
        do {
            before = shrinker.best;
            shrinker.pass();
        } while (!shrinker.best.equals(before) && shrinker.probes < maxProbes);
        return shrinker.best;
    }

    private void pass() {
        dropFaults();
        dropClients();
        cutLength();
        eachFault(Shrinker::shorter);
        eachFault(Shrinker::rounder);
    }

    private boolean attempt(SimPlan smaller) {
        if (smaller.equals(best) || probes >= maxProbes) {
            return false;
        }
        probes++;
        boolean fails = stillFails.test(smaller);
        if (fails) {
            best = smaller;
        }
        return fails;
    }

    private void dropFaults() {
        int size = Math.max(1, best.faults().size() / 2);
        while (size >= 1) {
            boolean dropped = dropRuns(size);
            size = dropped && size == 1 ? 1 : size / 2;
        }
    }

    /** Tries to drop each run of so many faults; true if one went. */
    private boolean dropRuns(int size) {
        boolean dropped = false;
        int start = 0;
        while (start < best.faults().size()) {
            if (attempt(best.withFaults(without(best.faults(), start, size)))) {
                dropped = true;
            } else {
                start += size;
            }
        }
        return dropped;
    }

    private static List<TimedFault> without(List<TimedFault> faults, int start, int size) {
        List<TimedFault> left = new ArrayList<>(faults.subList(0, start));
        left.addAll(faults.subList(Math.min(faults.size(), start + size), faults.size()));
        return left;
    }

    private void dropClients() {
        for (ClientPlan client : best.clients()) {
            attempt(best.withClients(best.clients().stream()
                    .filter(other -> !other.equals(client))
                    .toList()));
        }
    }

    private void cutLength() {
        long lastFaultMs =
                best.faults().stream().mapToLong(TimedFault::atMs).max().orElse(0);
        attempt(best.withLengthMs(Math.min(best.lengthMs(), lastFaultMs + 1)));
        while (attempt(best.withLengthMs(best.lengthMs() / 2))) {
            // Halved as long as it goes wrong.
        }
    }

    private void eachFault(UnaryOperator<TimedFault> change) {
        for (int i = 0; i < best.faults().size(); i++) {
            List<TimedFault> faults = new ArrayList<>(best.faults());
            faults.set(i, change.apply(faults.get(i)));
            attempt(best.withFaults(faults));
        }
    }

    private static TimedFault shorter(TimedFault timed) {
        int half = Math.max(SHORTEST_MS, timed.fault().lastsMs() / 2);
        return half < timed.fault().lastsMs()
                ? new TimedFault(timed.atMs(), timed.fault().lasting(half))
                : timed;
    }

    private static TimedFault rounder(TimedFault timed) {
        int lastsMs = timed.fault().lastsMs();
        int roundMs = lastsMs < ROUND_MS ? lastsMs : lastsMs / ROUND_MS * ROUND_MS;
        return new TimedFault(timed.atMs() / ROUND_MS * ROUND_MS, timed.fault().lasting(roundMs));
    }
}
