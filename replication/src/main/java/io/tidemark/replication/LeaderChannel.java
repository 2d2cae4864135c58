package io.tidemark.replication;

import io.tidemark.replication.fetch.ReplicaFetch;
import java.util.function.Consumer;

/**
 * A way to one leader. One request is outstanding at a time.
 *
 * <p>Never blocks and never throws. The answer is given exactly once for each request, on any thread, also on loss of the
 * connection, timeout or {@link #close()} (then with an error); it may belong to a request of which the leader
 * processed anything between nothing and all.
 */
public interface LeaderChannel extends AutoCloseable {
    void fetch(ReplicaFetch.Request request, Consumer<ReplicaFetch.Answer> answer);

    /** Answers what is outstanding with an error and releases the connection. Idempotent. */
    @Override
    void close();
}
