package io.tidemark.replication.fetch;

import io.tidemark.core.log.Log;
import io.tidemark.runtime.EventLoops;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Runs reads that may have to wait for a disk on few loops of their own, off those that serve the network (KNOWN_BUGS 42, DESIGN
 * section 7). These loops do nothing else, so that one may wait. Bounded: beyond so many reads a caller is sent away.
 *
 * <p>Thread-safe. In the simulator the loops are on its queue, and the order is the same in every run.
 */
public final class ColdReads {
    /**
     * A read that begins farther than this from the log's end is a cold one. What was appended last is in the page cache, unless
     * the machine has too little memory for what it does; 64 MiB is more than any follower or consumer that keeps up is
     * behind, and so little that 100 partitions which are read at their ends need 6 GiB of cache at the very most.
     */
    static final long COLD_BYTES = 64L << 20;

    /** Enough to keep a disk or two busy. */
    public static final int LOOPS = 4;

    /** Reads that run or wait for a turn: some seconds of work. Each may bring a whole answer into memory only while it runs. */
    public static final int MAX_READS = 256;

    private final List<EventLoops.Loop> loops = new ArrayList<>();
    private final int[] underWay;
    private final int maxReads;
    private int total;

    /** Loops of its own in that environment, and a bound for what runs and waits on all of them. */
    public ColdReads(EventLoops environment, int loopCount, int maxReads) {
        for (int i = 0; i < loopCount; i++) {
            loops.add(environment.open("cold-reads-" + i));
        }
        this.underWay = new int[loopCount];
        this.maxReads = maxReads;
    }

    /** Whether a read at the offset may have to wait for a disk; from memory alone. */
    static boolean isCold(Log log, long offset) {
        return log.bytesBehindEnd(offset) > COLD_BYTES;
    }

    /**
     * Runs a pass of a fetch: here if nothing that it reads is cold, else on one of the loops, or here over what is hot alone if there
     * is no room.
     */
    void run(boolean isCold, Consumer<Reach> pass) {
        if (!isCold) {
            pass.accept(Reach.ALL);
        } else if (!tryRun(() -> pass.accept(Reach.ALL))) {
            pass.accept(Reach.HOT_ONLY);
        }
    }

    /**
     * Has {@code read} run on the loop with the least to do.
     *
     * @return false if there is no room: it will not run
     */
    boolean tryRun(Runnable read) {
        int chosen = 0;
        synchronized (this) {
            if (total >= maxReads) {
                return false;
            }
            for (int i = 1; i < underWay.length; i++) {
                chosen = underWay[i] < underWay[chosen] ? i : chosen;
            }
            underWay[chosen]++;
            total++;
        }
        int loop = chosen;
        loops.get(loop).execute(() -> run(loop, read));
        return true;
    }

    private void run(int loop, Runnable read) {
        try {
            read.run();
        } finally {
            synchronized (this) {
                underWay[loop]--;
                total--;
            }
        }
    }
}
