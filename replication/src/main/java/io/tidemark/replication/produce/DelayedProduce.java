package io.tidemark.replication.produce;

import io.tidemark.core.purgatory.Completion;
import io.tidemark.core.purgatory.Completion.Ending;
import io.tidemark.core.purgatory.DelayedOperation;
import io.tidemark.model.ErrorCode;
import io.tidemark.model.SafetyRule;
import io.tidemark.model.SafetyRules;
import io.tidemark.replication.partition.PartitionView;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A produce with acks=all that waits for its in-sync replicas. Holds numbers and compares them with each partition's
 * published view (DESIGN section 4):
 *
 * <pre>
 * view                                           | outcome of the part
 * -----------------------------------------------+------------------------------------------------------------
 * not the leader in the epoch of the append, or  | NOT_LEADER_OR_FOLLOWER: the new leader may have it or not
 *   the log was truncated since                  |   (S38, KAFKA-9198)
 * min-ISR gate closed                            | NOT_ENOUGH_REPLICAS_AFTER_APPEND, at once (I13)
 * gate open, high watermark above the last offset| NONE
 * otherwise                                      | undecided; REQUEST_TIMED_OUT at the end of the wait
 * </pre>
 *
 * <p>What is decided about a part stays: parts of one request are decided at different moments.
 */
final class DelayedProduce extends DelayedOperation {
    private final List<Wait> waits;
    private final AtomicReferenceArray<@Nullable ErrorCode> decided;
    private final Consumer<List<ErrorCode>> outcome;

    /**
     * What one part waits for.
     *
     * @param view the partition's; one volatile read
     * @param lastOffset to be below the high watermark
     * @param leaderEpoch of the append
     * @param truncations of the log at the append
     * @param rules that are kept
     */
    record Wait(Supplier<PartitionView> view, long lastOffset, int leaderEpoch, long truncations, SafetyRules rules) {
        /** With every safety rule. */
        Wait(Supplier<PartitionView> view, long lastOffset, int leaderEpoch, long truncations) {
            this(view, lastOffset, leaderEpoch, truncations, SafetyRules.ALL);
        }

        /** The outcome by the view of this moment, or null while it is open. */
        @Nullable
        ErrorCode decide() {
            PartitionView now = view.get();
            if (!now.leadsIn(leaderEpoch) || now.truncations() != truncations) {
                return ErrorCode.NOT_LEADER_OR_FOLLOWER;
            }
            if (!now.gateOpen()) {
                return ErrorCode.NOT_ENOUGH_REPLICAS_AFTER_APPEND;
            }
            boolean committed = now.highWatermark() > lastOffset || !rules.keeps(SafetyRule.ACK_WHEN_COMMITTED);
            return committed ? ErrorCode.NONE : null;
        }
    }

    /** @param outcome given one error code for each wait, in order, once; never after a cancellation */
    DelayedProduce(List<Wait> waits, Duration timeout, Consumer<List<ErrorCode>> outcome) {
        super(timeout);
        this.waits = List.copyOf(waits);
        this.decided = new AtomicReferenceArray<>(waits.size());
        this.outcome = outcome;
    }

    /** Whether every part is decided. Reads volatiles only. */
    @Override
    protected boolean isSatisfied() {
        boolean all = true;
        for (int i = 0; i < waits.size(); i++) {
            if (decided.get(i) == null) {
                ErrorCode now = waits.get(i).decide();
                if (now == null) {
                    all = false;
                } else {
                    decided.compareAndSet(i, null, now);
                }
            }
        }
        return all;
    }

    @Override
    protected void onComplete(Completion completion) {
        if (completion.ending() == Ending.CANCELLED) {
            return;
        }
        ErrorCode rest = ofUndecided(completion);
        List<ErrorCode> errors = new ArrayList<>(waits.size());
        for (int i = 0; i < waits.size(); i++) {
            ErrorCode error = decided.get(i);
            errors.add(error == null ? rest : error);
        }
        outcome.accept(errors);
    }

    /** The records are in the log, so only an error that leaves the outcome open is true. */
    private static ErrorCode ofUndecided(Completion completion) {
        if (completion.ending() != Ending.FAILED) {
            return ErrorCode.REQUEST_TIMED_OUT;
        }
        boolean open = completion.error().outcome() == ErrorCode.Outcome.UNKNOWN;
        return open ? completion.error() : ErrorCode.NOT_LEADER_OR_FOLLOWER;
    }
}
