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
 *   OUT_OF_ORDER_SEQUENCE_NUMBER            again if an earlier one is unresolved: it is certainly not written
 *                                           else fails              drains, then takes a new identity
 *   any other failure, no attempt unknown   fails                   drains, then later ones close the gap in sequence
 *   any other failure after an unknown one  fails, outcome unknown  drains, then takes a new identity
 *   delivery time over after an attempt     fails, outcome unknown  drains, then takes a new identity
 * </pre>
 *
 * <p>Only batches behind a gap move up. What is before it keeps its numbers, since it may have been written under them; and
 * a batch that may have been written leaves no gap, since one that took its number would be dropped as its repetition.
 *
 * <p>Before a new identity is taken, every batch that was sent under the old one and is unresolved fails as unknown: sent
 * again under another identity it could be written twice.
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

    PartitionWriter(int maxInFlight) {
        this.maxInFlight = maxInFlight;
    }

    /** What an answer means for its batch. */
    enum Verdict {
        DONE,
        AGAIN,
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

    /** Gives a batch that was never sent its place in the sequence. */
    void assign(PendingBatch batch, ProducerIdentity current) {
        ProducerIdentity mine = identity;
        if (mine == null) {
            mine = current;
            identity = current;
            nextSequence = 0;
        }
        batch.stamp(mine, nextSequence);
        nextSequence = Sequences.plus(nextSequence, batch.recordCount());
    }

    /** The batch is under way. */
    void sent(PendingBatch batch) {
        if (!batch.wasPlaced()) {
            batch.takePlace(nextPlace++);
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
        Verdict verdict = policy == Policy.IDEMPOTENT ? idempotent(batch, error) : plain(error);
        if (verdict == Verdict.AGAIN) {
            insertAgain(batch);
        }
        if (!draining) {
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
        } else if (gapPlace == NO_PLACE || batch.place() < gapPlace) {
            gapPlace = batch.place();
            gapSequence = batch.baseSequence();
        }
        return Verdict.FAILED;
    }

    private boolean isBehindGap(PendingBatch batch) {
        return gapPlace != NO_PLACE && gapPlace < batch.place();
    }

    private static Verdict plain(ErrorCode error) {
        return error.outcome() == ErrorCode.Outcome.FAILED_RETRY ? Verdict.AGAIN : Verdict.FAILED;
    }

    private boolean hasEarlierUnresolved(PendingBatch batch) {
        return inFlight.stream().anyMatch(other -> other.place() < batch.place())
                || again.stream().anyMatch(other -> other.place() < batch.place());
    }

    private void insertAgain(PendingBatch batch) {
        List<PendingBatch> all = new ArrayList<>(again);
        all.add(batch);
        all.sort(BY_PLACE);
        again.clear();
        again.addAll(all);
    }

    /** How often in a row it had to drain; batches that fail together, as when a stream breaks, count once. */
    int failures() {
        return failures;
    }

    /** Sends nothing before that time. */
    void backOffUntil(long timeNs) {
        backingOff = true;
        notBeforeNs = timeNs;
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
            givenUp = identity;
            identity = null;
            List<PendingBatch> doubtful = new ArrayList<>(again);
            again.clear();
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
