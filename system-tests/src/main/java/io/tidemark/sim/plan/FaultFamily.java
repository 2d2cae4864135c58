package io.tidemark.sim.plan;

import java.util.Locale;

/** What a fault is a fault of; runs can be held to some families. */
public enum FaultFamily {
    NETWORK,
    PROCESS,
    DISK,
    ZOOKEEPER,
    CLOCK,
    /** What operators ask for while all that goes on: no fault, but it moves leaders and minimums. */
    OPERATOR;

    /** As the command line has it. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
