package io.tidemark.replication.follower;

import io.tidemark.core.log.LogClosedException;
import io.tidemark.core.runtime.Invariant.InvariantBrokenException;
import io.tidemark.core.runtime.KafkaStorageException;
import io.tidemark.model.Endpoint;
import io.tidemark.model.ErrorCode;
import io.tidemark.model.TopicPartition;
import io.tidemark.replication.LeaderChannel;
import io.tidemark.replication.fetch.ReplicaFetch;
import io.tidemark.replication.follower.FetcherStep.Append;
import io.tidemark.replication.follower.FetcherStep.Pause;
import io.tidemark.replication.follower.FetcherStep.Restart;
import io.tidemark.replication.follower.FetcherStep.Truncate;
import io.tidemark.replication.partition.DamageStep;
import io.tidemark.replication.partition.FollowerPosition;
import io.tidemark.replication.partition.FollowerStep;
import io.tidemark.replication.partition.Partition;
import io.tidemark.runtime.Cancellable;
import io.tidemark.runtime.EventLoops;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Copies partitions from one leader: the shell around {@link FetcherState}, on a loop of its own (S76). One request is out at
 * a time, and the next is sent as soon as what the last one brought is appended and, in sync mode, forced.
 *
 * <p>Public methods return at once and may be called from any thread; what they ask for happens on the loop, in order.
 */
final class ReplicaFetcherThread implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ReplicaFetcherThread.class);

    private final FetcherEnvironment environment;
    private final EventLoops.Loop loop;
    private final int leaderId;
    private final FetcherState state;
    private final TreeMap<TopicPartition, Partition> partitions = new TreeMap<>();

    /** To be copied as soon as what they hold is flushed. */
    private final TreeMap<TopicPartition, Partition> joining = new TreeMap<>();

    private Endpoint leader;
    private @Nullable LeaderChannel channel;

    /** Of the channel: an answer that belongs to an earlier one is ignored. */
    private int connection;

    private @Nullable Cancellable timer;
    private boolean reachable = true;
    private boolean flushing;
    private boolean stopped;

    ReplicaFetcherThread(
            String name, int leaderId, Endpoint leader, FetcherConfig config, FetcherEnvironment environment) {
        this.environment = environment;
        this.leaderId = leaderId;
        this.leader = leader;
        TargetThrottle throttle = new TargetThrottle(environment.throttle(), this::isMember);
        this.state = new FetcherState(config, environment.randomness(), throttle);
        this.loop = environment.loops().open(name);
    }

    /**
     * Copies the partition from where its replica stands, if that still follows this leader. What its log has behind a damage is
     * dropped first, if nobody counts on it. That happens here, so that no answer to an earlier fetch comes behind the cut.
     */
    void follow(Partition partition) {
        loop.execute(() -> {
            if (!stopped) {
                cutAtDamage(partition);
            }
            joining.put(partition.partition(), partition);
            join(partition, null);
        });
    }

    void unfollow(TopicPartition partition) {
        loop.execute(() -> {
            joining.remove(partition);
            drop(partition);
            pump();
        });
    }

    /** The leader may be reached there from now on: reconnects at once and forgets every backoff (grpc-java#6473). */
    void leaderAt(Endpoint endpoint) {
        loop.execute(() -> {
            leader = endpoint;
            disconnect();
            state.forgetConnection();
            state.endPauses();
            pump();
        });
    }

    /** There may be something to ask for that there was not before. */
    void lookAgain() {
        loop.execute(this::pump);
    }

    /** Stops copying; an append that runs finishes. Idempotent. */
    @Override
    public void close() {
        loop.execute(() -> {
            stopped = true;
            disconnect();
            partitions.keySet().forEach(environment.metrics()::forget);
            partitions.clear();
            joining.clear();
            cancelTimer();
            loop.close();
        });
    }

    private void cutAtDamage(Partition partition) {
        try {
            DamageStep step = partition.cutAtDamage(leaderId);
            if (step instanceof DamageStep.Cut cut) {
                drop(partition.partition());
                LOG.warn(
                        "{} is fetched again from offset {}: {}",
                        partition.partition(),
                        cut.end().offset(),
                        cut.damage().message());
            } else if (step instanceof DamageStep.Kept kept) {
                LOG.error(
                        "{} keeps its damaged log, for {}: {}",
                        partition.partition(),
                        kept.reason(),
                        kept.damage().message());
            }
        } catch (KafkaStorageException e) {
            stopped = true;
            environment.storageFailures().onStorageFailure(e);
        } catch (LogClosedException e) {
            LOG.debug("{} is gone", partition.partition());
        }
    }

    /**
     * Its first fetch proves its whole log, the end of which another fetcher may just have appended, or have been stopped at before
     * it was flushed: that is done until it stands where it was flushed.
     */
    private void join(Partition partition, @Nullable FollowerPosition flushed) {
        TopicPartition name = partition.partition();
        if (joining.get(name) != partition) {
            return;
        }
        Optional<FollowerPosition> position = partition.followerPosition().filter(found -> found.leader() == leaderId);
        if (position.isPresent() && !position.get().equals(flushed)) {
            environment.flush().flush(List.of(partition), () -> onLoop(() -> join(partition, position.get())));
            return;
        }
        joining.remove(name);
        if (position.isPresent()) {
            partitions.put(name, partition);
            state.add(position.get());
        } else {
            drop(name);
        }
        pump();
    }

    private void onLoop(Runnable task) {
        if (loop.inLoop()) {
            task.run();
        } else {
            loop.execute(task);
        }
    }

    private boolean isMember(TopicPartition name) {
        Partition partition = partitions.get(name);
        int self = environment.self().get().brokerId();
        return partition != null
                && partition.state().filter(state -> state.inIsr(self)).isPresent();
    }

    private void drop(TopicPartition partition) {
        state.remove(partition);
        if (partitions.remove(partition) != null) {
            environment.metrics().forget(partition);
        }
    }

    private void disconnect() {
        connection++;
        if (channel != null) {
            channel.close();
            channel = null;
        }
    }

    private void cancelTimer() {
        if (timer != null) {
            timer.cancel();
            timer = null;
        }
    }

    /** Sends what is to be asked next, or comes back when there may be something. */
    private void pump() {
        if (stopped || flushing || environment.storageFailures().isTripped()) {
            return;
        }
        cancelTimer();
        long nowNs = environment.clock().monotonicNs();
        Optional<ReplicaFetch.Request> request =
                state.nextRequest(environment.self().get(), nowNs);
        if (request.isPresent()) {
            send(request.get());
            return;
        }
        OptionalLong wakeAtNs = state.wakeAtNs(nowNs);
        if (wakeAtNs.isPresent()) {
            timer = loop.schedule(Duration.ofNanos(wakeAtNs.getAsLong() - nowNs), this::pump);
        }
    }

    private void send(ReplicaFetch.Request request) {
        if (channel == null) {
            channel = environment.channels().open(leaderId, leader);
        }
        int sentOn = connection;
        channel.fetch(request, answer -> loop.execute(() -> onAnswer(sentOn, answer)));
    }

    private void onAnswer(int sentOn, ReplicaFetch.Answer answer) {
        if (stopped || sentOn != connection) {
            return;
        }
        List<FetcherStep> steps = state.onAnswer(answer, environment.clock().monotonicNs());
        onReachability(answer.error());
        List<Partition> changed = new ArrayList<>();
        for (FetcherStep step : steps) {
            if (!stopped) {
                carryOut(step, changed);
            }
        }
        if (changed.isEmpty() || stopped) {
            pump();
            return;
        }
        flushing = true;
        environment.flush().flush(changed, () -> loop.execute(this::onFlushed));
    }

    /** Said once when it changes, however often it is tried meanwhile. */
    private void onReachability(ErrorCode error) {
        boolean failed = isChannelFailure(error);
        if (failed && reachable) {
            LOG.warn("cannot fetch from broker {} at {}: {}", leaderId, leader, error);
        } else if (!failed && !reachable) {
            LOG.info("fetches from broker {} at {} again", leaderId, leader);
        }
        reachable = !failed;
        if (failed) {
            disconnect();
        }
    }

    private static boolean isChannelFailure(ErrorCode error) {
        return switch (error) {
            case NONE, FETCH_SESSION_ID_NOT_FOUND, INVALID_FETCH_SESSION_EPOCH -> false;
            default -> true;
        };
    }

    private void onFlushed() {
        flushing = false;
        pump();
    }

    private void carryOut(FetcherStep step, List<Partition> changed) {
        Partition partition = partitions.get(step.partition());
        if (step instanceof Pause pause) {
            onPause(pause);
        } else if (partition != null) {
            FollowerStep outcome = touchLog(step, partition);
            if (outcome instanceof FollowerStep.Done && !isEmptyAppend(step)) {
                changed.add(partition);
            }
            if (!stopped) {
                settle(step, outcome);
            }
            if (outcome instanceof FollowerStep.Refused) {
                // It may stand where another has brought it.
                changed.add(partition);
                partition.followerPosition().ifPresent(state::standsAt);
            }
        }
    }

    private static boolean isEmptyAppend(FetcherStep step) {
        return step instanceof Append append && !append.result().batches().hasRemaining();
    }

    /** A failure of one partition is that partition's alone; a disk's or the design's is everybody's. */
    private FollowerStep touchLog(FetcherStep step, Partition partition) {
        try {
            if (step instanceof Append append) {
                return partition.appendAsFollower(append.asked().currentLeaderEpoch(), append.result());
            }
            if (step instanceof Truncate truncate) {
                LOG.info("{} diverges from its leader {}: {}", step.partition(), leaderId, truncate.diverging());
                return partition.truncateAsFollower(truncate.asked().currentLeaderEpoch(), truncate.diverging());
            }
            Restart restart = (Restart) step;
            LOG.info("{} starts again at the leader's log start {}", step.partition(), restart.logStartOffset());
            return partition.restartAsFollower(restart.asked().currentLeaderEpoch(), restart.logStartOffset());
        } catch (KafkaStorageException e) {
            stopped = true;
            environment.storageFailures().onStorageFailure(e);
            return new FollowerStep.Refused(ErrorCode.KAFKA_STORAGE_ERROR, String.valueOf(e.getMessage()));
        } catch (InvariantBrokenException e) {
            stopped = true;
            throw e;
        } catch (RuntimeException e) {
            LOG.error("{} cannot take what broker {} sent", step.partition(), leaderId, e);
            return new FollowerStep.Refused(ErrorCode.UNKNOWN_SERVER_ERROR, e.toString());
        }
    }

    private void settle(FetcherStep step, FollowerStep outcome) {
        if (outcome instanceof FollowerStep.Refused refused) {
            LOG.warn("{} from broker {}: {} {}", step.partition(), leaderId, refused.error(), refused.message());
        }
        Optional<Pause> pause = state.onStep(step, outcome, environment.clock().monotonicNs());
        if (pause.isPresent()) {
            onPause(pause.get());
        } else if (outcome instanceof FollowerStep.Done done && step instanceof Append append) {
            long lagRecords = append.result().highWatermark() - done.end().offset();
            environment.metrics().fetched(step.partition(), lagRecords);
        }
    }

    private void onPause(Pause pause) {
        LOG.info("{} is not fetched from broker {} for a while: {}", pause.partition(), leaderId, pause.reason());
        environment.metrics().failed(pause.partition());
    }
}
