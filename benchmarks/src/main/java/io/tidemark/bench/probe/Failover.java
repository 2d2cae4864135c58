package io.tidemark.bench.probe;

import io.tidemark.bench.probe.ProbeTarget.Idempotence;
import io.tidemark.bench.probe.ProbeTarget.PartitionView;
import io.tidemark.bench.probe.ProbeTarget.SinkSettings;
import io.tidemark.runtime.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntConsumer;

/**
 * Kills a broker with SIGKILL while one record after the other is sent to a partition with acks=all, each when the one
 * before is answered.
 *
 * <p>When a leader dies: the time from the kill to the first acknowledgement; attempts are short, so that none of them
 * hides the new leader. When a follower dies: the longest produce, with attempts that are never given up; one that fails
 * all the same goes on with the next, as an application would.
 */
final class Failover {
    private static final int WARM_UP_RECORDS = 300;
    private static final Duration IN_SYNC_PATIENCE = Duration.ofMinutes(1);
    private static final Duration LEADER_PATIENCE = Duration.ofMinutes(1);
    private static final Duration ANSWER_PATIENCE = Duration.ofMinutes(1);
    private static final Duration LOOK_AGAIN = Duration.ofMillis(300);
    private static final Duration BREATH = Duration.ofMillis(2);
    private static final SinkSettings SHORT_ATTEMPTS =
            new SinkSettings(Idempotence.OFF, 0, Duration.ofMillis(500), Duration.ofMillis(600));
    private static final SinkSettings LONG_ATTEMPTS =
            new SinkSettings(Idempotence.OFF, 0, Duration.ofSeconds(40), Duration.ofSeconds(45));

    /** Who dies. */
    enum Case {
        /** The partition's leader, which is not the controller. */
        LEADER,
        /** The partition's leader, which is the controller too. */
        LEADER_AND_CONTROLLER,
        /** A follower, which is not the controller; the controller leads. */
        FOLLOWER
    }

    /**
     * What came of it.
     *
     * @param victim id of the broker that was killed
     * @param measuredNs the time in question; -1 if no record was acknowledged in time
     * @param failedTries sends that were refused or given up
     */
    record Outcome(int victim, long measuredNs, int failedTries) {}

    private record Aim(int partition, int victim) {}

    private final ProbeTarget target;
    private final Clock clock;
    private final IntConsumer kill;
    private final byte[] value;

    /** @param kill ends the broker of an id with SIGKILL */
    Failover(ProbeTarget target, Clock clock, IntConsumer kill, byte[] value) {
        this.target = target;
        this.clock = clock;
        this.kill = kill;
        this.value = value;
    }

    /**
     * Waits until all replicas are in sync, then does it.
     *
     * @param window how long produces are watched after a follower's death
     */
    Outcome run(Case kind, String topic, int replicas, Duration window)
            throws ExecutionException, InterruptedException, TimeoutException {
        awaitInSync(topic, replicas);
        int controller = target.controller();
        Aim aim = aim(kind, target.partitions(topic), controller)
                .orElseThrow(() -> new IllegalStateException(
                        "no partition of " + topic + " fits the case " + kind + " with controller " + controller));
        SinkSettings settings = kind == Case.FOLLOWER ? LONG_ATTEMPTS : SHORT_ATTEMPTS;
        try (RecordSink sink = target.open(settings)) {
            for (int i = 0; i < WARM_UP_RECORDS; i++) {
                if (!isAcknowledged(sink, topic, aim.partition())) {
                    breathe();
                }
            }
            return kind == Case.FOLLOWER
                    ? longestProduce(sink, topic, aim, window)
                    : firstAcknowledgement(sink, topic, aim);
        }
    }

    private Outcome firstAcknowledgement(RecordSink sink, String topic, Aim aim) throws InterruptedException {
        long killedNs = clock.monotonicNs();
        kill.accept(aim.victim());
        int failed = 0;
        while (clock.monotonicNs() - killedNs < LEADER_PATIENCE.toNanos()) {
            long sentNs = clock.monotonicNs();
            if (isAcknowledged(sink, topic, aim.partition())) {
                return new Outcome(aim.victim(), clock.monotonicNs() - killedNs, failed);
            }
            failed++;
            if (clock.monotonicNs() - sentNs < BREATH.toNanos()) {
                breathe();
            }
        }
        return new Outcome(aim.victim(), -1, failed);
    }

    private Outcome longestProduce(RecordSink sink, String topic, Aim aim, Duration window)
            throws InterruptedException {
        long killedNs = clock.monotonicNs();
        kill.accept(aim.victim());
        long longestNs = -1;
        int failed = 0;
        boolean acknowledged = true;
        long sinceNs = killedNs;
        while (!acknowledged || clock.monotonicNs() - killedNs < window.toNanos()) {
            long sentNs = clock.monotonicNs();
            sinceNs = acknowledged ? sentNs : sinceNs;
            acknowledged = isAcknowledged(sink, topic, aim.partition());
            if (acknowledged) {
                longestNs = Math.max(longestNs, clock.monotonicNs() - sinceNs);
            } else {
                failed++;
                if (clock.monotonicNs() - sinceNs > LEADER_PATIENCE.toNanos()) {
                    return new Outcome(aim.victim(), -1, failed);
                }
            }
            breathe();
        }
        return new Outcome(aim.victim(), longestNs, failed);
    }

    private boolean isAcknowledged(RecordSink sink, String topic, int partition) throws InterruptedException {
        CompletableFuture<Boolean> answer = new CompletableFuture<>();
        sink.send(topic, partition, value, failure -> answer.complete(failure == null));
        try {
            return answer.get(ANSWER_PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException e) {
            return false;
        }
    }

    static Optional<Aim> aim(Case kind, List<PartitionView> partitions, int controller) {
        for (PartitionView view : partitions) {
            Integer leader = view.leader();
            if (leader == null || (kind == Case.LEADER) == (leader == controller)) {
                continue;
            }
            Optional<Integer> victim = kind == Case.FOLLOWER
                    ? view.inSync().stream().filter(id -> id != controller).findFirst()
                    : Optional.of(leader);
            if (victim.isPresent()) {
                return Optional.of(new Aim(view.partition(), victim.get()));
            }
        }
        return Optional.empty();
    }

    private void awaitInSync(String topic, int replicas) throws InterruptedException {
        long startNs = clock.monotonicNs();
        while (!isInSync(topic, replicas)) {
            if (clock.monotonicNs() - startNs > IN_SYNC_PATIENCE.toNanos()) {
                throw new IllegalStateException(
                        "the replicas of " + topic + " were not in sync within " + IN_SYNC_PATIENCE.toSeconds() + " s");
            }
            LockSupport.parkNanos(LOOK_AGAIN.toNanos());
        }
    }

    private boolean isInSync(String topic, int replicas) throws InterruptedException {
        try {
            List<PartitionView> views = target.partitions(topic);
            return !views.isEmpty()
                    && views.stream()
                            .allMatch(view ->
                                    view.leader() != null && view.inSync().size() == replicas);
        } catch (ExecutionException | TimeoutException e) {
            return false;
        }
    }

    private static void breathe() {
        LockSupport.parkNanos(BREATH.toNanos());
    }
}
