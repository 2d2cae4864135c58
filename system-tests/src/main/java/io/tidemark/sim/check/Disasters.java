package io.tidemark.sim.check;

import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What took copies of records that nobody promised to protect: power losses in async mode, wiped disks, damaged bits. Moments are
 * counted, not timed: whatever happens gets a greater one than all before.
 *
 * <p>What a power loss took is known when the log was loaded again. Until then it is pending, and the copies count as there.
 */
final class Disasters {
    private final SortedMap<Integer, Long> lastByBroker = new TreeMap<>();
    private final SortedSet<Integer> pending = new TreeSet<>();

    /** Only looked up, never walked. */
    private final Map<Long, Long> startOfLife = new HashMap<>();

    private long now;

    /** A moment later than all before. */
    long tick() {
        return ++now;
    }

    /** A disaster strikes the machine; what it takes is seen later. */
    void struck(int brokerId) {
        lastByBroker.put(brokerId, tick());
        pending.add(brokerId);
    }

    /** What the last disaster took is known. */
    void settled(int brokerId) {
        pending.remove(brokerId);
    }

    boolean isPending(int brokerId) {
        return pending.contains(brokerId);
    }

    /** A process starts, which has this nonce in its registrations. */
    void processStarted(long nonce) {
        startOfLife.put(nonce, tick());
    }

    /** Whether a disaster struck the machine after that moment. */
    boolean since(int brokerId, long moment) {
        return lastByBroker.getOrDefault(brokerId, -1L) > moment;
    }

    /** Whether one struck it after the process with that nonce had loaded its logs; yes for a process that nobody saw. */
    boolean sinceStartOf(int brokerId, long nonce) {
        return since(brokerId, startOfLife.getOrDefault(nonce, -2L));
    }
}
