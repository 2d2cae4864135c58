package io.tidemark.bench.pauses;

import java.io.IOException;

/** Something that a broker does to a log while others append to it. */
interface Disturbance {
    /** What it is, in the table. */
    String what();

    /** The log that it is done to. */
    AppendedLog log();

    /** Brings the log to where there is something to do. Not measured. */
    void prepare();

    /** Does it, and returns when it is over. On a thread of its own. */
    void run() throws IOException;
}
