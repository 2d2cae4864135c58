package io.tidemark.client.producer;

import io.tidemark.client.TidemarkException;
import io.tidemark.model.TopicPartition;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** One record on its way: tells its caller at most once, and its producer exactly once. Thread-safe. */
final class Delivery implements SendCallback {
    /** A field of its own instead of an AtomicReference: there is one of these for each record. */
    private static final AtomicReferenceFieldUpdater<Delivery, SendCallback> CALLER =
            AtomicReferenceFieldUpdater.newUpdater(Delivery.class, SendCallback.class, "caller");

    private volatile @Nullable SendCallback caller;
    private final LongConsumer answered;

    /** Where the record is, under the producer's lock: null until it is in a batch. */
    private @Nullable PendingBatch batch;

    /** How it is counted among what is not answered; set under the producer's lock, before anybody can answer. */
    private long countedIn;

    /** @param answered told after the caller, also if that is gone or throws, with what was counted in */
    Delivery(SendCallback caller, LongConsumer answered) {
        this.caller = caller;
        this.answered = answered;
    }

    @Override
    public void done(TopicPartition partition, long offset, @Nullable TidemarkException failure) {
        SendCallback told = takeCaller();
        try {
            if (told != null) {
                told.done(partition, offset, failure);
            }
        } finally {
            answered.accept(countedIn);
        }
    }

    /** The caller is gone and will be told nothing. False if it was told, or gone, already. */
    boolean abandon() {
        return takeCaller() != null;
    }

    /** To one taker only. */
    private @Nullable SendCallback takeCaller() {
        SendCallback present = caller;
        return present != null && CALLER.compareAndSet(this, present, null) ? present : null;
    }

    void countedIn(long number) {
        countedIn = number;
    }

    void joined(@Nullable PendingBatch joined) {
        batch = joined;
    }

    @Nullable
    PendingBatch batch() {
        return batch;
    }
}
