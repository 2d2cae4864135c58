package io.tidemark.replication.fetch;

import io.tidemark.core.purgatory.DelayedOperation;
import io.tidemark.core.purgatory.Purgatory;
import io.tidemark.model.ErrorCode;
import io.tidemark.model.TopicPartition;
import io.tidemark.replication.Signals;
import io.tidemark.replication.partition.Advance;
import io.tidemark.replication.partition.IsrProposal;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/**
 * Wakes whoever waits for what moved. Thread-safe; the caller holds no lock.
 *
 * <p>The numbers that waiters compare are published before a signal, by the step that moved them: a waiter that registers
 * meanwhile sees them itself (I19).
 */
public final class PurgatorySignals implements Signals {
    private final FetchWaits fetches;
    private final Purgatory<TopicPartition, DelayedOperation> produces;
    private final Purgatory<TopicPartition, DelayedOperation> deletions;
    private final Consumer<IsrProposal> proposals;
    private final Executor wakeUps;

    /**
     * @param produces where acks=all waits, by partition
     * @param deletions where deletions of records wait, by partition
     * @param proposals given each proposal to send; returns at once
     * @param wakeUps runs followers' wake-ups: {@code Runnable::run} for at once, a loop's {@code execute} to collect
     *     what one pass of it appends into one exchange per follower (DESIGN section 5)
     */
    public PurgatorySignals(
            FetchWaits fetches,
            Purgatory<TopicPartition, DelayedOperation> produces,
            Purgatory<TopicPartition, DelayedOperation> deletions,
            Consumer<IsrProposal> proposals,
            Executor wakeUps) {
        this.fetches = fetches;
        this.produces = produces;
        this.deletions = deletions;
        this.proposals = proposals;
        this.wakeUps = wakeUps;
    }

    @Override
    public void appended(TopicPartition partition) {
        for (FetchSession session : fetches.sessions().holding(partition)) {
            if (session.mark(partition)) {
                wake(session);
            }
        }
    }

    /** Followers are not woken: the session only remembers that there is something to tell (DESIGN section 4). */
    @Override
    public void advanced(TopicPartition partition, Advance advance) {
        if (advance.committed()) {
            for (FetchSession session : fetches.sessions().holding(partition)) {
                session.mark(partition);
            }
            produces.signal(partition);
            fetches.consumers().signal(partition);
        }
        IsrProposal proposal = advance.proposal();
        if (proposal != null) {
            proposals.accept(proposal);
        }
    }

    @Override
    public void followersMoved(TopicPartition partition) {
        deletions.signal(partition);
    }

    /** Followers learn of it with their next exchange; retention takes nothing that an in-sync one still needs. */
    @Override
    public void startMoved(TopicPartition partition) {
        for (FetchSession session : fetches.sessions().holding(partition)) {
            session.mark(partition);
        }
        fetches.consumers().signal(partition);
    }

    /**
     * Everyone who waits for the partition finds its role, truncation count or offset changed and is answered now. A
     * fetch reads again, which tells the error; a produce is told that its outcome is unknown, whatever {@code error} is.
     * After a storage failure, of which the view says nothing, what waits for the partition ends as a whole.
     */
    @Override
    public void ended(TopicPartition partition, ErrorCode error) {
        produces.signal(partition);
        deletions.signal(partition);
        if (error == ErrorCode.KAFKA_STORAGE_ERROR) {
            produces.completeAll(partition, error);
            deletions.completeAll(partition, error);
        }
        fetches.consumers().signal(partition);
        for (FetchSession session : fetches.sessions().holding(partition)) {
            if (session.markUrgent(partition)) {
                wake(session);
            }
        }
    }

    private void wake(FetchSession session) {
        if (session.claimWakeUp()) {
            wakeUps.execute(() -> {
                session.releaseWakeUp();
                fetches.followers().signal(session.id());
            });
        }
    }
}
