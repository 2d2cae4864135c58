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
 *   any other failure (not written)         fails                   drains, then later ones close the gap in sequence
 *   delivery time over after an attempt     fails, outcome unknown  drains, then takes a new identity
 * </pre>
 *
 * <p>Before a new identity is taken, every batch that was sent under the old one and is unresolved fails as unknown: sent
 * again under another identity it could be written twice.
 */
final class PartitionWriter {
    private static final Comparator<PendingBatch> BY_AGE = Comparator.comparingLong(PendingBatch::createdNs);

    private final int maxInFlight;
    private final List<PendingBatch> inFlight = new ArrayList<>();
    private final Deque<PendingBatch> again = new ArrayDeque<>();

    private @Nullable ProducerIdentity identity;
    private @Nullable ProducerIdentity givenUp;
    private int nextSequence;
    private boolean draining;
    private boolean renewIdentity;
    private int closeGapAt = -1;
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
    PendingBatch peekAgain() {
        return again.peekFirst();
    }

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
        if (sequenceError && (hasEarlierUnresolved(batch) || closeGapAt >= 0)) {
            return Verdict.AGAIN;
        }
        if (sequenceError || error == ErrorCode.INVALID_PRODUCER_EPOCH) {
            renewIdentity = true;
            return Verdict.FAILED;
        }
        if (error.isRetriable()) {
            return Verdict.AGAIN;
        }
        if (closeGapAt < 0) {
            closeGapAt = batch.baseSequence();
        }
        return Verdict.FAILED;
    }

    private static Verdict plain(ErrorCode error) {
        return error.outcome() == ErrorCode.Outcome.FAILED_RETRY ? Verdict.AGAIN : Verdict.FAILED;
    }

    private boolean hasEarlierUnresolved(PendingBatch batch) {
        return inFlight.stream().anyMatch(other -> other.createdNs() < batch.createdNs())
                || again.stream().anyMatch(other -> other.createdNs() < batch.createdNs());
    }

    private void insertAgain(PendingBatch batch) {
        List<PendingBatch> all = new ArrayList<>(again);
        all.add(batch);
        all.sort(BY_AGE);
        again.clear();
        again.addAll(all);
    }

    /** The number of failures in a row, this one included. */
    int countFailure() {
        return ++failures;
    }

    /** Sends nothing before that time. */
    void backOffUntil(long timeNs) {
        backingOff = true;
        notBeforeNs = timeNs;
    }

    boolean isBackingOff(long nowNs) {
        return backingOff && nowNs - notBeforeNs < 0;
    }

    long notBeforeNs() {
        return notBeforeNs;
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
            closeGapAt = -1;
            givenUp = identity;
            identity = null;
            List<PendingBatch> doubtful = new ArrayList<>(again);
            again.clear();
            return doubtful;
        }
        ProducerIdentity mine = identity;
        if (closeGapAt >= 0 && mine != null) {
            nextSequence = closeGapAt;
            closeGapAt = -1;
            for (PendingBatch batch : again) {
                batch.stamp(mine, nextSequence);
                nextSequence = Sequences.plus(nextSequence, batch.recordCount());
            }
        }
        return List.of();
    }

    /** Removes batches that were sent and whose delivery time is over; their outcome is unknown. */
    List<PendingBatch> takeExpired(long createdBeforeNs) {
        List<PendingBatch> expired = new ArrayList<>();
        for (PendingBatch batch : List.copyOf(again)) {
            if (batch.createdNs() - createdBeforeNs < 0) {
                again.remove(batch);
                expired.add(batch);
            }
        }
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
        all.sort(BY_AGE);
        inFlight.clear();
        again.clear();
        return all;
    }
}
