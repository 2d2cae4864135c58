package io.tidemark.server.rpc;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The long-lived streams of one listener, so that a stop can end them: a server waits for its calls. Thread-safe. */
public final class OpenStreams {
    private final Set<AnswerStream<?>> streams = ConcurrentHashMap.newKeySet();
    private volatile boolean finishing;

    /** How many there are. */
    public int count() {
        return streams.size();
    }

    /** Ends each stream, and each that comes, once it has answered what it took; nothing new is read. Idempotent. */
    void finishAll() {
        finishing = true;
        streams.forEach(stream -> stream.finish(Errors.shuttingDown()));
    }

    void add(AnswerStream<?> stream) {
        streams.add(stream);
        if (finishing) {
            stream.finish(Errors.shuttingDown());
        }
    }

    void remove(AnswerStream<?> stream) {
        streams.remove(stream);
    }
}
