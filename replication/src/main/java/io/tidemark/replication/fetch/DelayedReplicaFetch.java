package io.tidemark.replication.fetch;

import io.tidemark.core.purgatory.Completion;
import io.tidemark.core.purgatory.DelayedOperation;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * A follower's fetch that waits, on its session's key alone, until the leader's logs have grown enough beyond it (S32) or
 * something ended (S38). A moved high watermark does not end the wait: it rides on the next answer (DESIGN section 5).
 */
final class DelayedReplicaFetch extends DelayedOperation {
    private final FetchSession session;
    private final int minBytes;
    private final Consumer<Completion> done;

    /** @param done called once with why the wait ended */
    DelayedReplicaFetch(FetchSession session, int minBytes, Duration timeout, Consumer<Completion> done) {
        super(timeout);
        this.session = session;
        this.minBytes = minBytes;
        this.done = done;
    }

    @Override
    protected boolean isSatisfied() {
        return session.isReady(minBytes);
    }

    @Override
    protected void onComplete(Completion completion) {
        done.accept(completion);
    }
}
