package io.tidemark.client.producer;

import io.tidemark.client.net.Wire.ProducerIdentity;
import io.tidemark.model.ErrorCode;
import io.tidemark.record.Sequences;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The order of one partition's batches through retries. Pure.
 *
 * <p>A partition is <em>open</em>: up to the limit of batches are under way. When one of them has to be tried again it
 * <em>drains</em>: nothing is sent until all that is under way is answered; then what is left goes again in its old
 * order, with its old sequence numbers, so that the leader recognises what it has (five in flight, KAFKA-7692).
 *
 * <pre>
 *   answer (idempotent)                     the batch               the partition
 *   success, or a duplicate                 done                    as it was
 *   retriable, or unknown outcome           again                   drains
 *   OUT_OF_ORDER_SEQUENCE_NUMBER or         again if an earlier one is unresolved: it is certainly not written
 *   UNKNOWN_PRODUCER_ID                     else as the next two lines say
 *   UNKNOWN_PRODUCER_ID, no attempt unknown again                   drains, then takes a new identity
 *   a sequence or an epoch that is not his  fails                   drains, then takes a new identity
 *   any other failure, no attempt unknown:
 *     of single records, where it has more  again, in two halves    drains
 *     else                                  fails                   drains, then later ones close the gap in sequence
 *   any other failure after an unknown one  fails, outcome unknown  drains, then takes a new identity
 *   delivery time over after an attempt     fails, outcome unknown  drains, then takes a new identity
 * </pre>
 *
 * <p>Only batches behind a gap move up. What is before it keeps its numbers, since it may have been written under them; and
 * a batch that may have been written leaves no gap, since one that took its number would be dropped as its repetition.
 *
 * <p>A leader refuses a whole batch for one of its records, and the others may be other callers'. So a refused batch goes
 * again in halves, and these in halves, until single records are left of which each is written or refused: at most twice as
 * many batches as it had records, all within its delivery time. The halves have its place and its numbers; others go on after
 * them.
 *
 * <p>Before a new identity is taken, every batch that may have been written under the old one fails as unknown: sent again
 * under another identity it could be written twice. What is certainly not written goes again under the new one.
 */
final class PartitionWriter {
    private static final Comparator<PendingBatch> BY_PLACE = Comparator.comparingLong(PendingBatch::place);
    private static final long NO_PLACE = -1;

    private final int maxInFlight;
    private final List<PendingBatch> inFlight = new ArrayList<>();
    private final Deque<PendingBatch> again = new ArrayDeque<>();

    private @Nullable ProducerIdentity identity;
    private @Nullable ProducerIdentity givenUp;
    private int nextSequence;
    private boolean draining;
    private boolean renewIdentity;
    private long gapPlace = NO_PLACE;
    private int gapSequence;
    private long nextPlace;
    private int failures;
    private long notBeforeNs;
    private boolean backingOff;
    private int refusedLeaderEpoch = -1;

    PartitionWriter(int maxInFlight) {
        this.maxInFlight = maxInFlight;
    }

    /** What an answer means for its batch. */
    enum Verdict {
        DONE,
        /** After a pause. */
        AGAIN,
        /** As soon as what is before it is resolved, which is why it was refused. */
        BEHIND,
        /** At once, in halves. */
        SPLIT,
        FAILED
    }

    /** Whether a batch may be sent now. */
    boolean maySend(long nowNs) {
        return !draining && inFlight.size() < maxInFlight && (!backingOff || nowNs - notBeforeNs >= 0);
    }

    /** Whether nothing is under way and nothing is to go again. */
    boolean isIdle() {
        return inFlight.isEmpty() && again.isEmpty();
    }

    List<PendingBatch> inFlight() {
        return List.copyOf(inFlight);
    }

    /** The next batch that has to go again, if there is one. */
    @Nullable
    PendingBatch takeAgain() {
        return again.pollFirst();
    }

    /** Whether the partition cannot go on with {@code current}, but needs a fresh identity. */
    boolean needsOtherThan(ProducerIdentity current) {
        return identity == null && current.equals(givenUp);
    }

    /** Gives a batch its place in the sequence, if it has none yet, or has one of an identity that was given up. */
    void assign(PendingBatch batch, ProducerIdentity current) {
        ProducerIdentity mine = identity;
        if (mine == null) {
            mine = current;
            identity = current;
            nextSequence = 0;
        }
        if (mine.equals(batch.identity())) {
            return;
        }
        batch.stamp(mine, nextSequence);
        nextSequence = Sequences.plus(nextSequence, batch.recordCount());
    }

    /** The batch is under way. */
    void sent(PendingBatch batch) {
        if (!batch.wasPlaced()) {
            batch.takePlace(nextPlace);
            nextPlace += batch.recordCount();
        }
        inFlight.add(batch);
    }

    /** Takes the answer to a batch that is under way. */
    Verdict answered(PendingBatch batch, ErrorCode error, Policy policy) {
        inFlight.remove(batch);
        if (error == ErrorCode.NONE) {
            failures = 0;
            backingOff = false;
            return Verdict.DONE;
        }
        Verdict verdict = policy == Policy.IDEMPOTENT ? idempotent(batch, error) : plain(batch, error);
        if (verdict == Verdict.SPLIT) {
            insertAgain(batch.halves());
        } else if (verdict != Verdict.FAILED) {
            insertAgain(List.of(batch));
        }
        if (!draining && verdict == Verdict.AGAIN) {
            failures++;
        }
        draining = true;
        return verdict;
    }

    /** How repetitions are judged. */
    enum Policy {
        /** The broker drops repeated batches: an unknown outcome may be tried again. */
        IDEMPOTENT,
        /** Only what is certainly not written is tried again. */
        PLAIN
    }

    private Verdict idempotent(PendingBatch batch, ErrorCode error) {
        boolean sequenceError =
                error == ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER || error == ErrorCode.UNKNOWN_PRODUCER_ID;
        if (sequenceError && (hasEarlierUnresolved(batch) || isBehindGap(batch))) {
            return Verdict.BEHIND;
        }
        if (error == ErrorCode.UNKNOWN_PRODUCER_ID && !batch.isDoubtful()) {
            // The leader has forgotten this producer, or the topic is another one of the same name.
            renewIdentity = true;
            return Verdict.AGAIN;
        }
        if (sequenceError || error == ErrorCode.INVALID_PRODUCER_EPOCH) {
            renewIdentity = true;
            return Verdict.FAILED;
        }
        if (error.isRetriable()) {
            if (error.outcome() == ErrorCode.Outcome.UNKNOWN) {
                batch.doubt();
            }
            return Verdict.AGAIN;
        }
        if (batch.isDoubtful()) {
            renewIdentity = true;
        } else if (maySplit(batch, error)) {
            return Verdict.SPLIT;
        } else if (gapPlace == NO_PLACE || batch.place() < gapPlace) {
            gapPlace = batch.place();
            gapSequence = batch.baseSequence();
        }
        return Verdict.FAILED;
    }

    private boolean isBehindGap(PendingBatch batch) {
        return gapPlace != NO_PLACE && gapPlace < batch.place();
    }

    private static Verdict plain(PendingBatch batch, ErrorCode error) {
        if (error.outcome() == ErrorCode.Outcome.FAILED_RETRY) {
            return Verdict.AGAIN;
        }
        return maySplit(batch, error) ? Verdict.SPLIT : Verdict.FAILED;
    }

    /** Whether it is certain that nothing was written, and may be that only some of the records are at fault. */
    private static boolean maySplit(PendingBatch batch, ErrorCode error) {
        boolean ofAllRecords = switch (error) {
            case INVALID_REQUEST, INVALID_TOPIC, INVALID_REQUIRED_ACKS -> true;
            default -> false;
        };
        boolean certain = error.outcome() == ErrorCode.Outcome.FAILED && !batch.isDoubtful();
        return batch.recordCount() > 1 && certain && !ofAllRecords;
    }

    private boolean hasEarlierUnresolved(PendingBatch batch) {
        return inFlight.stream().anyMatch(other -> other.place() < batch.place())
                || again.stream().anyMatch(other -> other.place() < batch.place());
    }

    private void insertAgain(List<PendingBatch> batches) {
        List<PendingBatch> all = new ArrayList<>(again);
        all.addAll(batches);
        all.sort(BY_PLACE);
        again.clear();
        again.addAll(all);
    }

    /** How often in a row it had to try again; batches that fail together, as when a stream breaks, count once. */
    int failures() {
        return failures;
    }

    /**
     * Sends nothing before that time, for the sake of who led in that epoch.
     *
     * @param leaderEpoch that the refused batch was sent in
     */
    void backOffUntil(long timeNs, int leaderEpoch) {
        backingOff = true;
        notBeforeNs = timeNs;
        refusedLeaderEpoch = leaderEpoch;
    }

    /** There is a leader in that epoch: a pause for the sake of an earlier one is over. */
    void ledIn(int leaderEpoch) {
        backingOff &= leaderEpoch <= refusedLeaderEpoch;
    }

    /** Whether batches are to go again, but not yet. */
    boolean isHeldBack(long nowNs) {
        return backingOff && nowNs - notBeforeNs < 0 && !again.isEmpty();
    }

    /**
     * Ends the draining when nothing is under way any more.
     *
     * @return batches that fail with an unknown outcome, because the partition takes a new identity
     */
    List<PendingBatch> settle() {
        if (!draining || !inFlight.isEmpty()) {
            return List.of();
        }
        draining = false;
        if (renewIdentity) {
            renewIdentity = false;
            gapPlace = NO_PLACE;
            if (identity != null) {
                givenUp = identity;
            }
            identity = null;
            List<PendingBatch> doubtful = new ArrayList<>(again);
            doubtful.removeIf(batch -> !batch.isDoubtful());
            again.removeAll(doubtful);
            return doubtful;
        }
        ProducerIdentity mine = identity;
        if (gapPlace != NO_PLACE && mine != null) {
            closeGap(mine);
        }
        return List.of();
    }

    private void closeGap(ProducerIdentity mine) {
        nextSequence = gapSequence;
        for (PendingBatch batch : again) {
            if (isBehindGap(batch)) {
                batch.stamp(mine, nextSequence);
                nextSequence = Sequences.plus(nextSequence, batch.recordCount());
            }
        }
        gapPlace = NO_PLACE;
    }

    /** Removes batches that were sent, or are under way, and whose delivery time is over; their outcome is unknown. */
    List<PendingBatch> takeExpired(long createdBeforeNs) {
        List<PendingBatch> expired = new ArrayList<>();
        expired.addAll(inFlight);
        expired.addAll(again);
        expired.removeIf(batch -> batch.createdNs() - createdBeforeNs >= 0);
        expired.sort(BY_PLACE);
        inFlight.removeAll(expired);
        again.removeAll(expired);
        if (!expired.isEmpty()) {
            draining = true;
            renewIdentity = true;
        }
        return expired;
    }

    /** Everything that is under way or to go again, at once. */
    List<PendingBatch> takeAll() {
        List<PendingBatch> all = new ArrayList<>(inFlight);
        all.addAll(again);
        all.sort(BY_PLACE);
        inFlight.clear();
        again.clear();
        return all;
    }
}
