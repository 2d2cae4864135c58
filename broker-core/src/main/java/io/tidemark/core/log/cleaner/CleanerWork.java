package io.tidemark.core.log.cleaner;

import java.io.IOException;

/** Something long that is done to one log in short steps, so that a thread can rest or stop in between. For one thread. */
interface CleanerWork {
    /** The log that it is done to. */
    CleanerTarget target();

    /**
     * Does some more.
     *
     * @throws IOException if the log's files fail, which means nothing if the log was closed meanwhile
     */
    Progress step() throws IOException;

    /** Gives up in between: leaves nothing behind. */
    void abandon();

    /** How often the log had been truncated when this began: once it was again, what was read of it means nothing. */
    long truncations();

    /**
     * After a step.
     *
     * @param movedBytes read and written by it
     */
    record Progress(Outcome outcome, long movedBytes) {}
}
