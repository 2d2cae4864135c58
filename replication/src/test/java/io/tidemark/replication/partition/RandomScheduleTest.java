package io.tidemark.replication.partition;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.config.FlushMode;
import io.tidemark.core.config.TruncationMode;
import io.tidemark.core.testkit.SeededRandomness;
import io.tidemark.model.Acks;
import io.tidemark.model.Member;
import io.tidemark.model.PartitionState;
import io.tidemark.replication.fetch.FetchEntry;
import io.tidemark.replication.fetch.ReplicaFetch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Random schedules of three replicas and a controller whose messages come late, twice, out of order or never, with clean
 * elections only. After every step: what any leader has exposed is in the log of the newest elected leader, with the same
 * epoch at the same offset, and every replica's numbers are in order (I1-I9, I17).
 */
final class RandomScheduleTest {
    private static final int SCHEDULES = 400;
    private static final int STEPS = 250;
    private static final int[] IDS = {1, 2, 3};

    @Test
    void shouldNeverLoseWhatWasExposedOnCleanElections() {
        long exposed = 0;
        long elections = 0;
        for (long seed = 1; seed <= SCHEDULES; seed++) {
            Run run = new Run(new SeededRandomness(seed), TruncationMode.LEADER_EPOCH);
            assertThat(run.play()).as("seed %d", seed).isEmpty();
            exposed += run.committed.size();
            elections += run.controller.leaderEpoch();
        }
        assertThat(exposed).as("the schedules commit something").isGreaterThan(SCHEDULES);
        assertThat(elections).as("and elect leaders").isGreaterThan(SCHEDULES);
    }

    @Test
    void shouldFindTheLossOfTheSeedsRule() {
        // the check itself is checked: with truncation to the high watermark it must find a loss
        boolean found = false;
        for (long seed = 1; seed <= SCHEDULES && !found; seed++) {
            found = new Run(new SeededRandomness(seed), TruncationMode.HIGH_WATERMARK)
                    .play()
                    .isPresent();
        }
        assertThat(found).isTrue();
    }

    /** A follower's question that is under way, or its answer. */
    private record InFlight(int follower, int leader, FetchEntry entry, ReplicaFetch.@Nullable Result answer) {}

    private static final class Run {
        private final SeededRandomness random;
        private final List<Partition> replicas = new ArrayList<>();
        private final List<PartitionState> pushed = new ArrayList<>();
        private final List<IsrProposal> proposals = new ArrayList<>();
        private final List<InFlight> questions = new ArrayList<>();
        private final List<InFlight> answers = new ArrayList<>();

        /** Epoch of each offset that some leader has let consumers see. */
        private final List<Integer> committed = new ArrayList<>();

        private PartitionState controller = States.led(1, 0).at(0, 1, 2, 3);
        private long nowNs;

        private Run(SeededRandomness random, TruncationMode mode) {
            this.random = random;
            ReplicaSettings settings = new ReplicaSettings(Duration.ofSeconds(1), mode, FlushMode.ASYNC);
            for (int id : IDS) {
                replicas.add(new Partition(new MemoryLog(), id, () -> 100 + id, settings, 0));
            }
            pushed.add(controller);
        }

        /** What went wrong, if anything did. */
        private Optional<String> play() {
            for (int step = 0; step < STEPS; step++) {
                nowNs += random.nextInt(200) * 1_000_000L;
                step();
                Optional<String> wrong = check();
                if (wrong.isPresent()) {
                    return Optional.of("step " + step + ": " + wrong.get() + " under " + controller);
                }
            }
            return Optional.empty();
        }

        private void step() {
            Partition replica = random.pick(replicas);
            switch (random.nextInt(16)) {
                case 0, 1 -> replica.appendAsLeader(MemoryLog.batch("m"), -1, random.oneIn(2) ? Acks.ALL : Acks.LEADER);
                case 2, 3, 4 -> ask(replica);
                case 5, 6, 7 -> answerOne();
                case 8, 9, 10 -> takeOne();
                case 11, 12 -> note(replica.become(random.pick(pushed), nowNs).advance());
                case 13 -> note(replica.become(controller, nowNs).advance());
                case 14 -> decideOne();
                default -> rare(replica);
            }
        }

        private void rare(Partition replica) {
            switch (random.nextInt(3)) {
                case 0 -> note(replica.checkIsr(nowNs));
                case 1 -> elect();
                default -> replica.pendingProposal().ifPresent(proposals::add);
            }
        }

        private void ask(Partition replica) {
            replica.followerPosition().ifPresent(at -> {
                int id = 1 + replicas.indexOf(replica);
                questions.add(new InFlight(id, at.leader(), Exchange.ask(replica), null));
            });
        }

        private void answerOne() {
            if (!questions.isEmpty()) {
                InFlight question = take(questions);
                Partition leader = replicas.get(question.leader() - 1);
                Follower name = new Follower(question.follower(), 100 + question.follower());
                ReplicaFetch.Result answer = Exchange.answer(leader, question.entry(), name, nowNs);
                leader.pendingProposal().ifPresent(this::propose);
                answers.add(new InFlight(question.follower(), question.leader(), question.entry(), answer));
            }
        }

        private void takeOne() {
            if (!answers.isEmpty()) {
                InFlight answer = take(answers);
                Partition follower = replicas.get(answer.follower() - 1);
                // A fetcher has one question outstanding: what does not answer its present position it never sees.
                boolean current = follower.followerPosition().isPresent()
                        && Exchange.ask(follower).equals(answer.entry());
                if (current) {
                    Exchange.take(follower, answer.entry().currentLeaderEpoch(), answer.answer());
                }
            }
        }

        /** Takes one, and sometimes leaves it there, to come again. */
        private <T> T take(List<T> from) {
            int index = random.nextInt(from.size());
            return random.oneIn(8) ? from.get(index) : from.remove(index);
        }

        private void note(Advance advance) {
            if (advance.proposal() != null) {
                propose(advance.proposal());
            }
        }

        private void propose(IsrProposal proposal) {
            if (!proposals.contains(proposal)) {
                proposals.add(proposal);
            }
        }

        /** The controller takes a proposal that fits its state; else it refuses with the unchanged state, one epoch on. */
        private void decideOne() {
            if (proposals.isEmpty()) {
                return;
            }
            IsrProposal proposal = take(proposals);
            boolean fits = proposal.leaderEpoch() == controller.leaderEpoch()
                    && proposal.partitionEpoch() == controller.partitionEpoch();
            List<Member> isr = fits
                    ? proposal.members().stream()
                            .map(member -> new Member(member.brokerId(), 1))
                            .toList()
                    : controller.isr();
            write(controller.leader(), controller.leaderEpoch(), isr);
        }

        /** Clean: a member of the in-sync set leads; sometimes the old leader is taken out. */
        private void elect() {
            int leader = random.pick(controller.isrIds());
            List<Member> isr = new ArrayList<>(controller.isr());
            if (leader != controller.leader() && random.oneIn(2)) {
                isr.removeIf(member -> member.brokerId() == controller.leader());
            }
            write(leader, controller.leaderEpoch() + 1, isr);
        }

        private void write(int leader, int leaderEpoch, List<Member> isr) {
            controller = new PartitionState(
                    States.TOPIC_ID,
                    States.PARTITION,
                    leader,
                    leaderEpoch,
                    controller.partitionEpoch() + 1,
                    controller.replicas(),
                    isr,
                    List.of(),
                    controller.effectiveMinIsr(),
                    1);
            pushed.add(controller);
        }

        private Optional<String> check() {
            for (Partition replica : replicas) {
                PartitionView view = replica.view();
                if (view.highWatermark() > end(replica)
                        || view.highWatermark() < replica.log().startOffset()) {
                    return Optional.of("high watermark out of bounds: " + view);
                }
                if (view.role() == PartitionView.Role.LEADER) {
                    long position = replica.log().positionOf(view.highWatermark());
                    if (view.highWatermarkPosition() != position) {
                        return Optional.of("position " + position + " is not that of " + view);
                    }
                    expose(replica);
                }
            }
            // Whoever the state names must have it all, whether it has heard of its election or not.
            for (int member : controller.isrIds()) {
                List<Integer> epochs = epochs(replicas.get(member - 1));
                boolean holds = epochs.size() >= committed.size()
                        && epochs.subList(0, committed.size()).equals(committed);
                if (!holds) {
                    return Optional.of("member " + member + " has " + epochs + ", exposed was " + committed);
                }
            }
            return Optional.empty();
        }

        private void expose(Partition leader) {
            List<Integer> epochs = epochs(leader);
            for (int i = committed.size(); i < leader.view().highWatermark(); i++) {
                committed.add(epochs.get(i));
            }
        }

        private static long end(Partition replica) {
            return replica.log().end().offset();
        }

        private static List<Integer> epochs(Partition replica) {
            return ((MemoryLog) replica.log()).epochByOffset();
        }
    }
}
