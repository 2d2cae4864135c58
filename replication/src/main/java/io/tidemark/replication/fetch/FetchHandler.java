package io.tidemark.replication.fetch;

import io.tidemark.replication.LocalReplicas;
import io.tidemark.runtime.Cancellable;
import io.tidemark.runtime.Clock;
import io.tidemark.runtime.Randomness;
import java.util.List;
import java.util.function.Consumer;

/**
 * Answers fetches, now or when there is enough (DESIGN sections 4 and 5, walk (b)). Thread-safe; never blocks: what may
 * have to wait for a disk is handed to {@link ColdReads}, and refused with THROTTLED if there is no room. Answers are given exactly
 * once, with no lock held, on the calling thread, that of whoever ended the wait, or that of a cold read.
 */
public final class FetchHandler {
    private final ConsumerFetches consumers;
    private final ReplicaFetches followers;

    public FetchHandler(
            LocalReplicas replicas,
            FetchWaits waits,
            Clock clock,
            Randomness randomness,
            ColdReads coldReads,
            FetchSettings settings) {
        this.consumers =
                new ConsumerFetches(replicas, waits.consumers(), randomness, coldReads, settings.responseMaxBytes());
        this.followers = new ReplicaFetches(replicas, waits, clock, coldReads, settings);
    }

    /**
     * A consumer's fetch: whole batches below the high watermark. Waits until the sum over all entries of high watermark
     * position - fetch position reaches {@code minBytes} (S31, S33), at most {@code maxWaitMs}; an error or a
     * divergence is answered at once. An offset between a new leader's high watermark and its log end waits like one at
     * the end (I16).
     *
     * <p>The first entry with data, counted from a random one, gives at least one whole batch; the others keep to the
     * limits (KAFKA-2063).
     *
     * @param answer given one result for each entry, in order
     * @return for a caller that is no longer interested: {@code answer} is then not called, and nothing waits for it
     */
    public Cancellable fetch(ConsumerFetch.Request request, Consumer<List<ConsumerFetch.Result>> answer) {
        return consumers.fetch(request, answer);
    }

    /**
     * A follower's fetch, within its session ({@link FetchSessions}). First everything that it proves is counted and
     * what that moved is signalled, then the session's marked partitions are read. The answer names only partitions
     * with something to say: data, a high watermark or log start that was not told yet, a divergence, an error.
     *
     * <p>Waits, in its session alone, until the sum over the partitions of log end position - fetch position reaches {@code
     * minBytes} (S32), at most {@code maxWaitMs}. A high watermark that moves does not end the wait.
     *
     * @param answer given the answer; FETCH_SESSION_ID_NOT_FOUND also when the session ends while this waits
     * @return for a connection that is gone: ends the session if the fetch waits; {@code answer} is then not called
     */
    public Cancellable fetchAsReplica(ReplicaFetch.Request request, Consumer<ReplicaFetch.Answer> answer) {
        return followers.fetch(request, answer);
    }
}
