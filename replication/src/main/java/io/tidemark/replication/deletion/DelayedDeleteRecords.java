package io.tidemark.replication.deletion;

import io.tidemark.core.purgatory.Completion;
import io.tidemark.core.purgatory.Completion.Ending;
import io.tidemark.core.purgatory.DelayedOperation;
import io.tidemark.model.ErrorCode;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A deletion of records that waits until every live replica's log starts at its offset or above. Holds a number and compares it
 * with what the leader has published (DESIGN section 4):
 *
 * <pre>
 * lowest log start of the leader and the live replicas | outcome
 * -----------------------------------------------------+--------------------------------------------------------
 * none: the leadership is over                         | NOT_LEADER_OR_FOLLOWER: the new leader may follow or not
 * at or above the offset                               | NONE
 * below it                                             | undecided; REQUEST_TIMED_OUT at the end of the wait
 * </pre>
 *
 * <p>What is decided stays.
 */
final class DelayedDeleteRecords extends DelayedOperation {
    private final Supplier<OptionalLong> lowestStart;
    private final long offset;
    private final Consumer<Outcome> outcome;
    private volatile @Nullable Outcome decided;

    /** @param lowestStart the lowest log start where it was decided, or -1 */
    record Outcome(ErrorCode error, long lowestStart) {}

    /**
     * @param lowestStart reads volatiles only
     * @param outcome told once; never after a cancellation
     */
    DelayedDeleteRecords(Supplier<OptionalLong> lowestStart, long offset, Duration timeout, Consumer<Outcome> outcome) {
        super(timeout);
        this.lowestStart = lowestStart;
        this.offset = offset;
        this.outcome = outcome;
    }

    @Override
    protected boolean isSatisfied() {
        if (decided == null) {
            decided = decide();
        }
        return decided != null;
    }

    private @Nullable Outcome decide() {
        OptionalLong lowest = lowestStart.get();
        if (lowest.isEmpty()) {
            return new Outcome(ErrorCode.NOT_LEADER_OR_FOLLOWER, -1);
        }
        return lowest.getAsLong() >= offset ? new Outcome(ErrorCode.NONE, lowest.getAsLong()) : null;
    }

    @Override
    protected void onComplete(Completion completion) {
        if (completion.ending() == Ending.CANCELLED) {
            return;
        }
        Outcome known = decided;
        if (known == null) {
            ErrorCode error = completion.ending() == Ending.FAILED ? completion.error() : ErrorCode.REQUEST_TIMED_OUT;
            known = new Outcome(error, -1);
        }
        outcome.accept(known);
    }
}
