package io.tidemark.bench.probe;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.bench.probe.ProbeTarget.PartitionView;
import io.tidemark.core.testkit.ManualClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class FailoverTest {
    private static final Duration WINDOW = Duration.ofSeconds(20);
    private static final Duration ELECTION = Duration.ofMillis(900);
    private static final Duration ATTEMPT = Duration.ofMillis(100);

    /** Three partitions, led by brokers 1 to 3; broker 2 is the controller. Produces pause for a while after a kill. */
    private static final class FakeTarget implements ProbeTarget {
        private final ManualClock clock;
        private final List<Integer> killed = new ArrayList<>();
        private final boolean refuses;
        private long pauseUntilNs = Long.MIN_VALUE;

        /** @param refuses whether a produce in the pause fails after a while; else it waits for the end of the pause */
        FakeTarget(ManualClock clock, boolean refuses) {
            this.clock = clock;
            this.refuses = refuses;
        }

        void kill(int broker) {
            killed.add(broker);
            pauseUntilNs = clock.monotonicNs() + ELECTION.toNanos();
        }

        @Override
        public RecordSink open(SinkSettings settings) {
            return new RecordSink() {
                @Override
                public void send(String topic, int partition, byte[] value, Answer answer) {
                    boolean pauses = clock.monotonicNs() < pauseUntilNs;
                    if (pauses && refuses) {
                        clock.advance(ATTEMPT);
                        answer.done(new IllegalStateException("no leader"));
                        return;
                    }
                    clock.advance(pauses ? Duration.ofNanos(pauseUntilNs - clock.monotonicNs()) : ATTEMPT);
                    answer.done(null);
                }

                @Override
                public void close() {}
            };
        }

        @Override
        public void createTopic(String topic, int partitions, int replicationFactor) {}

        @Override
        public void deleteTopic(String topic) {}

        @Override
        public int liveBrokers() {
            return 3;
        }

        @Override
        public int controller() {
            return 2;
        }

        @Override
        public List<PartitionView> partitions(String topic) {
            return List.of(
                    new PartitionView(0, 2, List.of(2, 3, 1)),
                    new PartitionView(1, 3, List.of(3, 1, 2)),
                    new PartitionView(2, 1, List.of(1, 2, 3)));
        }

        @Override
        public void close() {}
    }

    private static Failover.Outcome run(FakeTarget target, Failover.Case kind) throws Exception {
        return new Failover(target, target.clock, target::kill, new byte[1]).run(kind, "t", 3, WINDOW);
    }

    @Test
    void shouldMeasureFromTheKillOfALeaderToTheNextAcknowledgement() throws Exception {
        // given
        FakeTarget target = new FakeTarget(new ManualClock(), true);

        // when
        Failover.Outcome outcome = run(target, Failover.Case.LEADER);

        // then nine attempts fail and the tenth is acknowledged
        assertThat(target.killed).containsExactly(3);
        assertThat(outcome)
                .isEqualTo(new Failover.Outcome(3, ELECTION.plus(ATTEMPT).toNanos(), 9));
    }

    @Test
    void shouldKillTheLeaderThatIsControllerToo() throws Exception {
        // given
        FakeTarget target = new FakeTarget(new ManualClock(), true);

        // when
        run(target, Failover.Case.LEADER_AND_CONTROLLER);

        // then
        assertThat(target.killed).containsExactly(2);
    }

    @Test
    void shouldMeasureTheLongestProduceWhenAFollowerOfTheControllerDies() throws Exception {
        // given
        FakeTarget target = new FakeTarget(new ManualClock(), false);

        // when
        Failover.Outcome outcome = run(target, Failover.Case.FOLLOWER);

        // then
        assertThat(target.killed).containsExactly(3);
        assertThat(outcome).isEqualTo(new Failover.Outcome(3, ELECTION.toNanos(), 0));
        assertThat(target.clock.monotonicNs()).isGreaterThan(WINDOW.toNanos());
    }

    // Fails if: attempts that fail are left out of the longest produce.
    @Test
    void shouldCountFailedAttemptsAsAPartOfTheLongestProduce() throws Exception {
        // given
        FakeTarget target = new FakeTarget(new ManualClock(), true);

        // when
        Failover.Outcome outcome = run(target, Failover.Case.FOLLOWER);

        // then nine attempts fail and the tenth is acknowledged
        assertThat(outcome)
                .isEqualTo(new Failover.Outcome(3, ELECTION.plus(ATTEMPT).toNanos(), 9));
    }

    @Test
    void shouldSayThatNothingFitsWhereThereIsNoSuchPartition() {
        // given
        List<PartitionView> views = List.of(new PartitionView(0, 2, List.of(2)), new PartitionView(1, null, List.of()));

        // then
        assertThat(Failover.aim(Failover.Case.LEADER, views, 2)).isEmpty();
        assertThat(Failover.aim(Failover.Case.FOLLOWER, views, 2)).isEmpty();
        assertThat(Failover.aim(Failover.Case.LEADER_AND_CONTROLLER, views, 1)).isEmpty();
    }
}
