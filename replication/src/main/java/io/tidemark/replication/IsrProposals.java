package io.tidemark.replication;

import io.tidemark.model.ErrorCode;
import io.tidemark.model.PartitionState;
import io.tidemark.model.TopicPartition;
import io.tidemark.replication.partition.Advance;
import io.tidemark.replication.partition.Became;
import io.tidemark.replication.partition.IsrProposal;
import io.tidemark.replication.partition.Partition;
import io.tidemark.runtime.Cancellable;
import io.tidemark.runtime.Clock;
import io.tidemark.runtime.Scheduler;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries leaders' in-sync set proposals to the controller until they are released (DESIGN section 5): sends each again,
 * unchanged, after an error, a timeout or an answer that does not release it, with growing pauses, and at once when there is
 * a new controller.
 *
 * <p>A state that comes as an answer is offered to the partition if it is of the proposal's leader epoch. One of a newer
 * epoch is a command, and commands come by push alone (I8). Thread-safe; no call leaves while the lock is held.
 */
public final class IsrProposals {
    private static final Logger LOG = LoggerFactory.getLogger(IsrProposals.class);
    private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);
    private static final int MAX_DOUBLINGS = 6;
    private static final Cancellable NOTHING = () -> {};

    private final IsrChannel channel;
    private final PartitionTable partitions;
    private final Signals signals;
    private final Scheduler scheduler;
    private final Clock clock;
    private final SortedMap<TopicPartition, Errand> errands = new TreeMap<>();

    /** One proposal on its way. Guarded by the lock of its owner. */
    private static final class Errand {
        private final IsrProposal proposal;
        private int sent;
        private Cancellable pause = NOTHING;

        private Errand(IsrProposal proposal) {
            this.proposal = proposal;
        }
    }

    /** @param signals told what an adopted state moved; a proposal in that comes back through {@link #send} */
    public IsrProposals(
            IsrChannel channel, PartitionTable partitions, Signals signals, Scheduler scheduler, Clock clock) {
        this.channel = channel;
        this.partitions = partitions;
        this.signals = signals;
        this.scheduler = scheduler;
        this.clock = clock;
    }

    /** Sends the proposal until it is released; it takes the place of an earlier one of its partition. Returns at once. */
    public void send(IsrProposal proposal) {
        Errand errand = new Errand(proposal);
        synchronized (this) {
            Errand before = errands.get(proposal.partition());
            if (before != null && before.proposal.equals(proposal)) {
                return;
            }
            if (before != null) {
                before.pause.cancel();
            }
            errands.put(proposal.partition(), errand);
        }
        LOG.info("proposing {}", proposal);
        transmit(errand);
    }

    /** Sends everything that is unanswered again, at once: the old controller may have taken its answers with it. */
    public void onNewController() {
        List<Errand> unanswered;
        synchronized (this) {
            unanswered = List.copyOf(errands.values());
            unanswered.forEach(errand -> errand.pause.cancel());
        }
        unanswered.forEach(this::retry);
    }

    /** Sends nothing any more. */
    public synchronized void close() {
        errands.values().forEach(errand -> errand.pause.cancel());
        errands.clear();
    }

    private void transmit(Errand errand) {
        int attempt;
        synchronized (this) {
            if (!isOpen(errand)) {
                return;
            }
            errand.sent++;
            attempt = errand.sent;
        }
        channel.propose(errand.proposal, answer -> onAnswer(errand, attempt, answer));
    }

    private void onAnswer(Errand errand, int attempt, IsrChannel.Answer answer) {
        ErrorCode error = ErrorCode.NONE;
        if (answer instanceof IsrChannel.Answer.State decided) {
            offer(errand.proposal, decided.state());
        } else {
            error = ((IsrChannel.Answer.Failed) answer).error();
        }
        if (isReleased(errand)) {
            close(errand);
        } else {
            pause(errand, attempt, error);
        }
    }

    private void offer(IsrProposal proposal, PartitionState state) {
        Optional<Partition> partition = partitions
                .find(proposal.partition())
                .filter(found -> found.topicId().equals(state.topicId()));
        if (partition.isEmpty() || state.leaderEpoch() != proposal.leaderEpoch()) {
            return;
        }
        Became became = partition.get().become(state, clock.monotonicNs());
        if (became.roleEnded()) {
            signals.ended(proposal.partition(), ErrorCode.NOT_LEADER_OR_FOLLOWER);
        } else if (became.change() == Became.Change.UPDATED) {
            signals.followersMoved(proposal.partition());
        }
        Advance advance = became.advance();
        if (advance.moved()) {
            signals.advanced(proposal.partition(), advance);
        }
    }

    private boolean isReleased(Errand errand) {
        return partitions
                .find(errand.proposal.partition())
                .flatMap(Partition::pendingProposal)
                .filter(errand.proposal::equals)
                .isEmpty();
    }

    private synchronized boolean isOpen(Errand errand) {
        return errands.get(errand.proposal.partition()) == errand;
    }

    private synchronized void close(Errand errand) {
        if (isOpen(errand)) {
            errand.pause.cancel();
            errands.remove(errand.proposal.partition());
        }
    }

    /** Waits before the next attempt, unless this answer belongs to one that was overtaken by another. */
    private void pause(Errand errand, int attempt, ErrorCode error) {
        synchronized (this) {
            if (!isOpen(errand) || errand.sent != attempt) {
                return;
            }
        }
        LOG.info("{} is still in doubt after attempt {} ({})", errand.proposal, attempt, error);
        Cancellable pause = scheduler.schedule(pauseAfter(attempt), () -> retry(errand));
        synchronized (this) {
            if (isOpen(errand) && errand.sent == attempt) {
                errand.pause = pause;
                return;
            }
        }
        pause.cancel();
    }

    private void retry(Errand errand) {
        if (isReleased(errand)) {
            close(errand);
        } else {
            transmit(errand);
        }
    }

    private static Duration pauseAfter(int attempt) {
        Duration pause = FIRST_PAUSE.multipliedBy(1L << Math.min(attempt - 1, MAX_DOUBLINGS));
        return pause.compareTo(LONGEST_PAUSE) < 0 ? pause : LONGEST_PAUSE;
    }
}
