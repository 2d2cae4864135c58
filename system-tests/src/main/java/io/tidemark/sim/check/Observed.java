package io.tidemark.sim.check;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A cluster as the checks see it. */
public interface Observed {
    /** All brokers there are, running or not; never changes. */
    List<Integer> brokerIds();

    /** The process that runs on that machine now; null if none does. */
    @Nullable
    RunningBroker running(int brokerId);

    /** Runs a look at files; faults of the machine's disk are not for it, and not moved by it. */
    default void aside(Runnable look) {
        look.run();
    }
}
