package io.tidemark.core.log;

import io.tidemark.model.ErrorCode;
import io.tidemark.record.RecordBatch;
import io.tidemark.record.Sequences;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a log knows of the idempotent producers that wrote to it: epoch and the last {@value ProducerState#WINDOW} batches of each
 * (DESIGN section 5). Guarded by the log's lock.
 *
 * <p>It is a function of the batches in the log, so that leader and followers agree, and a new leader recognises what was
 * written through the old one. Bounded: beyond {@value #MAX_PRODUCERS} producers the one that was silent longest is
 * forgotten.
 *
 * <p>A producer's batch is taken if
 *
 * <ul>
 *   <li>the producer is unknown here and the batch starts at sequence 0; otherwise it is UNKNOWN_PRODUCER_ID. Stricter than Kafka
 *       since 2.5, which takes any sequence: then the second of two batches in flight could get in before a first that was
 *       refused. A producer that was forgotten takes a new id;
 *   <li>its epoch is above the known one and it starts at sequence 0, else OUT_OF_ORDER_SEQUENCE_NUMBER; a lower epoch is
 *       INVALID_PRODUCER_EPOCH;
 *   <li>it follows the last batch without a gap, sequences wrapping from 2^31-1 to 0 (KAFKA-7692), else
 *       OUT_OF_ORDER_SEQUENCE_NUMBER.
 * </ul>
 *
 * <p>A batch with the first and last sequence of one of the last five is a repetition and answered with the original's offsets.
 *
 * <p>Producers whose batches have all gone with the head of the log stay known. A start, or a truncation that goes far back,
 * knows them again if there is a snapshot from when they went; if it was lost they are unknown.
 *
 * <p><b>Expiry.</b> A producer that is silent for {@code producer.id.expiration.ms} is forgotten, and unknown when it comes back. Silence
 * is counted by the monotonic clock from the first look after its last batch: the times that records carry say nothing about when they were
 * appended, and a producer that writes old records is not silent. It begins anew when the log is loaded or its states are
 * rebuilt, so a restart can only lengthen it. Each replica expires by itself; those that differ for a while differ about
 * producers that have nothing in flight, as long as the expiration is longer than producers try.
 */
final class ProducerStates {
    /** Producers that are remembered. */
    static final int MAX_PRODUCERS = 10_000;

    private final LinkedHashMap<Long, ProducerState> byId = new LinkedHashMap<>();

    /** What to do with batches. */
    sealed interface Verdict {
        /** Append them. */
        enum Take implements Verdict {
            ALL
        }

        /** They are in the log already. */
        record Repeated(long firstOffset, long lastOffset) implements Verdict {}

        /** They must not be appended. */
        record Refused(ErrorCode error, String message) implements Verdict {}
    }

    /** Epoch and last sequence of a producer, counting batches of the same append. */
    private record Tail(short epoch, int lastSequence) {}

    int size() {
        return byId.size();
    }

    /** Decides about the batches of one append; changes nothing. Repetitions mixed with new batches are refused. */
    Verdict check(Iterable<RecordBatch> batches) {
        Map<Long, Tail> tails = null;
        Verdict.Repeated repeated = null;
        boolean taken = false;
        for (RecordBatch batch : batches) {
            Verdict verdict = batch.hasProducerId() ? checkOne(batch, tails) : Verdict.Take.ALL;
            if (verdict instanceof Verdict.Refused) {
                return verdict;
            }
            if (verdict instanceof Verdict.Repeated again) {
                repeated = repeated == null ? again : new Verdict.Repeated(repeated.firstOffset(), again.lastOffset());
            } else {
                taken = true;
                tails = remember(tails, batch);
            }
            if (taken && repeated != null) {
                return new Verdict.Refused(
                        ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER, "an append mixes repeated batches with new ones");
            }
        }
        return repeated != null ? repeated : Verdict.Take.ALL;
    }

    private static @Nullable Map<Long, Tail> remember(@Nullable Map<Long, Tail> tails, RecordBatch batch) {
        if (!batch.hasProducerId()) {
            return tails;
        }
        Map<Long, Tail> changed = tails == null ? new HashMap<>() : tails;
        changed.put(batch.producerId(), new Tail(batch.producerEpoch(), batch.lastSequence()));
        return changed;
    }

    private Verdict checkOne(RecordBatch batch, @Nullable Map<Long, Tail> tails) {
        Tail staged = tails == null ? null : tails.get(batch.producerId());
        if (staged != null) {
            return checkAgainst(batch, staged);
        }
        ProducerState known = byId.get(batch.producerId());
        if (known == null) {
            return batch.baseSequence() == 0
                    ? Verdict.Take.ALL
                    : new Verdict.Refused(
                            ErrorCode.UNKNOWN_PRODUCER_ID,
                            "producer " + batch.producerId() + " is unknown here and starts at sequence "
                                    + batch.baseSequence());
        }
        ProducerState.Written original = known.find(batch);
        return original != null
                ? new Verdict.Repeated(original.firstOffset(), original.lastOffset())
                : checkAgainst(batch, new Tail(known.epoch(), known.lastSequence()));
    }

    private static Verdict checkAgainst(RecordBatch batch, Tail tail) {
        if (batch.producerEpoch() < tail.epoch()) {
            return new Verdict.Refused(
                    ErrorCode.INVALID_PRODUCER_EPOCH,
                    "producer " + batch.producerId() + " has epoch " + tail.epoch() + ", not " + batch.producerEpoch());
        }
        int expected = batch.producerEpoch() > tail.epoch() ? 0 : Sequences.next(tail.lastSequence());
        return batch.baseSequence() == expected
                ? Verdict.Take.ALL
                : new Verdict.Refused(
                        ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER,
                        "producer " + batch.producerId() + " sent sequence " + batch.baseSequence() + ", expected is "
                                + expected);
    }

    /** Takes note of a batch that is in the log at the offsets of its header. */
    void onAppended(RecordBatch batch) {
        if (!batch.hasProducerId()) {
            return;
        }
        ProducerState state = byId.remove(batch.producerId());
        if (state == null) {
            state = new ProducerState(batch.producerId(), batch.producerEpoch());
        }
        state.add(batch);
        put(state);
    }

    /** Puts the state behind all others. */
    void put(ProducerState state) {
        byId.put(state.producerId(), state);
        if (byId.size() > MAX_PRODUCERS) {
            Iterator<Long> oldest = byId.keySet().iterator();
            oldest.next();
            oldest.remove();
        }
    }

    /**
     * Forgets batches at or above {@code offset}.
     *
     * @return false if some producer's remaining batches are not known any more: rebuild everything from the log
     */
    boolean truncateTo(long offset) {
        List<Long> gone = new ArrayList<>();
        for (ProducerState state : byId.values()) {
            if (state.truncateTo(offset)) {
                continue;
            }
            if (state.hadMore()) {
                return false;
            }
            gone.add(state.producerId());
        }
        gone.forEach(byId::remove);
        return true;
    }

    /**
     * Forgets who has been silent for {@code limit}.
     *
     * @param nowMs by the monotonic clock
     * @return how many were forgotten
     */
    int expire(long nowMs, Duration limit) {
        int before = byId.size();
        byId.values().removeIf(state -> state.hasBeenSilent(nowMs, limit.toMillis()));
        return before - byId.size();
    }

    void clear() {
        byId.clear();
    }

    /** Silent longest first. */
    Collection<ProducerState> all() {
        return byId.values();
    }
}
