package io.tidemark.coordination.controller;

import java.time.Duration;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * How often brokers are suspected and taken for dead. Pure; outlives the terms of a controller, so that the limit holds
 * whoever is elected how often.
 */
final class ProbePace {
    /** A broker is taken for dead at most once in this time; if it dies again sooner, its session has to end. */
    static final Duration BETWEEN_DEATHS = Duration.ofMinutes(1);

    private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(2);
    /** A suspicion so long after the last one is a new one. */
    private static final Duration FORGOTTEN = Duration.ofSeconds(10);

    private final SortedMap<Integer, Suspicion> suspicions = new TreeMap<>();
    private final SortedMap<Integer, Long> deathsNs = new TreeMap<>();

    private record Suspicion(Duration pause, long lastNs) {}

    /** How long to wait after a probe that proved nothing: 100 ms, doubling to 2 s while the suspicion lasts. */
    Duration nextPause(int brokerId, long nowNs) {
        Suspicion last = suspicions.get(brokerId);
        Duration pause = last == null || nowNs - last.lastNs() > FORGOTTEN.toNanos() ? FIRST_PAUSE : doubled(last);
        suspicions.put(brokerId, new Suspicion(pause, nowNs));
        return pause;
    }

    /** Whether the broker may be taken for dead now; if so, that is remembered. */
    boolean mayDie(int brokerId, long nowNs) {
        Long last = deathsNs.get(brokerId);
        if (last != null && nowNs - last < BETWEEN_DEATHS.toNanos()) {
            return false;
        }
        deathsNs.put(brokerId, nowNs);
        suspicions.remove(brokerId);
        return true;
    }

    private static Duration doubled(Suspicion last) {
        Duration doubled = last.pause().multipliedBy(2);
        return doubled.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : doubled;
    }
}
