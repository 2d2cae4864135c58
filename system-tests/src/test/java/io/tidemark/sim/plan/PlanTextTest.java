package io.tidemark.sim.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.client.producer.ProducerConfig.Idempotence;
import io.tidemark.core.config.CleanupPolicy;
import io.tidemark.core.config.FlushMode;
import io.tidemark.core.config.TruncationMode;
import io.tidemark.core.io.FileOperation;
import io.tidemark.model.Acks;
import io.tidemark.model.SafetyRule;
import io.tidemark.model.SafetyRules;
import io.tidemark.sim.MessageKind;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Plans as text: what is written is read again, and what is wrong is named with its line. */
final class PlanTextTest {
    private static final Target LEADER = Target.Role.LEADER;
    private static final Target TWO = new Target.Host(2);
    private static final Link LINK = new Link(TWO, LEADER);

    /** One of each kind. */
    private static final List<SimFault> FAULTS = List.of(
            new NetworkFault.Cut(LINK, 800),
            new NetworkFault.Slow(LINK, 300, 20),
            new NetworkFault.Drop(LINK, 40, 1),
            new NetworkFault.Duplicate(LINK, 1_000, 5_000, 7),
            new NetworkFault.Reorder(LINK, 0, 9),
            new NetworkFault.Isolate(Target.Role.CONTROLLER, 50),
            new NetworkFault.Hold(MessageKind.FETCH_ANSWER, LINK, 90),
            new ProcessFault.Crash(LEADER, 700),
            new ProcessFault.CrashInFileCall(TWO, 17),
            new ProcessFault.Pause(Target.Role.FOLLOWER, 2_500),
            new ProcessFault.StopCleanly(LEADER, 100),
            new DiskFault.PowerLoss(List.of(new Target.Host(1), TWO, LEADER), 900),
            new DiskFault.FailIo(TWO, FileOperation.FORCE),
            new DiskFault.DiskFull(TWO, 4_096, 300),
            new DiskFault.SlowForce(TWO, 400, 500),
            new DiskFault.Wipe(TWO, 600),
            new DiskFault.FlipBits(TWO),
            new ZooKeeperFault.Cut(TWO, 10),
            new ZooKeeperFault.CutReplies(TWO, 20),
            new ZooKeeperFault.LoseReply(TWO),
            new ZooKeeperFault.Expire(LEADER),
            new ZooKeeperFault.ExpireAll(),
            new ZooKeeperFault.Stop(30),
            new ZooKeeperFault.Pause(40),
            new ClockFault.Drift(TWO, -50_000, 60),
            new ClockFault.WallJump(TWO, -10_000),
            new OperatorRequest.Transfer(TWO),
            new OperatorRequest.MinIsr(1));

    // Issue 5 (failing seeds are kept): a plan outlives the draws only if its text is the whole of it.
    // Fails if: PlanText.write() leaves out the clients
    @Test
    void shouldReadWhatItWritesOfDrawnPlans() {
        for (long seed = 1; seed <= 1_000; seed++) {
            SimPlan plan = FaultMix.draw(seed, Mix.ORDINARY);
            assertThat(PlanText.parse(PlanText.write(plan)))
                    .as("seed %d", seed)
                    .isEqualTo(new PlanText.Parsed.Plan(plan));
        }
    }

    // Fails if: FaultText.disks() reads "free" of disk-full as its time
    @Test
    void shouldReadEveryKindOfFault() {
        // given
        List<TimedFault> faults =
                FAULTS.stream().map(fault -> new TimedFault(310, fault)).toList();
        SimPlan plan = new SimPlan(
                -4_711,
                new ClusterShape(
                        4,
                        1,
                        FlushMode.SYNC,
                        TruncationMode.HIGH_WATERMARK,
                        new ClusterShape.Logs(2_048, CleanupPolicy.COMPACT),
                        new ClusterShape.Times(2_000, 800, 500)),
                SafetyRules.without(SafetyRule.FETCH_IN_ONE_EPOCH, SafetyRule.CLEAN_BELOW_HW),
                faults,
                List.of(
                        new ClientPlan(100, Acks.ALL, Idempotence.ON, 0, 5),
                        new ClientPlan(101, Acks.NONE, Idempotence.OFF, 2, 50)),
                12_000);

        // then
        assertThat(PlanText.parse(PlanText.write(plan))).isEqualTo(new PlanText.Parsed.Plan(plan));
        assertThat(FAULTS.stream().map(fault -> fault.text().split(" ", -1)[0]).sorted())
                .isEqualTo(FaultText.names());
    }

    // Fails if: SimFault.lasting() of one kind keeps the old time
    @Test
    void shouldChangeTheTimeOfWhatLastsAndNothingElse() {
        for (SimFault fault : FAULTS) {
            SimFault longer = fault.lasting(12_345);
            assertThat(longer.lastsMs()).as(fault.text()).isIn(0, 12_345);
            assertThat(longer.lasting(fault.lastsMs())).isEqualTo(fault);
        }
    }

    // Fails if: Words.ofLine() does not cut the comment off
    @Test
    void shouldPassOverCommentsAndTakeSeveralStatementsOfALine() {
        // given
        String text = """
                # a plan
                seed 7; length 1s   # both

                at 2s cut 1 -> leader for 1s
                """;

        // then
        assertThat(PlanText.parse(text))
                .isEqualTo(new PlanText.Parsed.Plan(new SimPlan(
                        7,
                        ClusterShape.DEFAULT,
                        SafetyRules.ALL,
                        List.of(new TimedFault(
                                2_000, new NetworkFault.Cut(new Link(new Target.Host(1), LEADER), 1_000))),
                        List.of(),
                        1_000)));
    }

    // Fails if: PlanText.parse() counts lines from 0
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            seed many                              | a number
            at 10ms crash nobody down 5ms          | a host, leader, follower or controller
            at 10ms crash 1                        | "down"
            at 10ms crash 1 down 5                 | a time
            at 10ms crash 1 down 5ms again         | the end
            at 10ms explode 1                      | one of
            at 10ms drop 1 -> 2 permille 1001 for 1ms | a number from 0 to 1000
            at -1ms zk-expire-all                  | a time that is not negative
            at 1ms cut 1 2 for 3ms                 | "->"
            brokers 3 colour blue                  | a setting
            brokers 3 min.insync.replicas 4        | a number from 1 to 3
            without EVERYTHING                     | FETCH_IN_ONE_EPOCH
            client 1 acks none idempotence on partition 0 rate 1 | acks all
            nonsense                               | "brokers"
            at 1ms cut 1 -> 2 for 99999999999ms    | a time
            """)
    void shouldNameTheLineThatIsWrong(String statement, String expected) {
        PlanText.Parsed parsed = PlanText.parse("seed 1\n\n" + statement + "\nlength 5ms\n");

        assertThat(parsed).isInstanceOfSatisfying(PlanText.Parsed.Bad.class, bad -> {
            assertThat(bad.line()).isEqualTo(3);
            assertThat(bad.problem()).contains("expected ", expected, statement);
        });
    }
}
