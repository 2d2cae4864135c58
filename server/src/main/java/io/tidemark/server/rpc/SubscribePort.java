package io.tidemark.server.rpc;

import io.tidemark.record.LogRecord;
import io.tidemark.runtime.EventLoop;
import java.util.function.ToLongFunction;

/** Reads records from wherever their leaders are. Never blocks. */
public interface SubscribePort {
    /** Where everything of this port is called, listeners included. */
    EventLoop loop();

    /** @param weigher what a record counts against the demand */
    Reading open(Plain.Selection selection, ToLongFunction<LogRecord> weigher, Listener listener);

    /** A reading under way. */
    interface Reading {
        /** Begins; to be called once. */
        void start();

        /** Allows one delivery of at most {@code bytes}; replaces a demand that is not used up. Nothing is fetched without. */
        void demand(long bytes);

        /** Releases everything; nothing is called any more. Idempotent. */
        void close();
    }

    /** Takes what is read. The last two end the reading. */
    interface Listener {
        /** The demand is used up with it. */
        void onRecords(Plain.Slice slice);

        /** The next record weighs more than the demand, which stands. */
        void onTooHeavy(long weightBytes);

        void onEnd();

        void onFailure(Plain.Failure failure);
    }
}
