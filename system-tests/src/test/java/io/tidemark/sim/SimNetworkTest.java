package io.tidemark.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Each fault of a link, for single calls and for streams, and what it does to callers (DESIGN section 9). */
final class SimNetworkTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(2);
    /** By then a message and its answer have arrived over links that are well. */
    private static final Duration ROUND = Duration.ofMillis(5);

    private final SimWorld world = new SimWorld(11, Trace.OFF);
    private final SimNetwork network = new SimNetwork(world);
    private final Peer one = new Peer(1);
    private final Peer two = new Peer(2);
    private final List<String> served = new ArrayList<>();
    private final List<String> answered = new ArrayList<>();
    /** Serves nobody: the answers that are still to be given. */
    private final List<Consumer<@Nullable String>> open = new ArrayList<>();

    private final class Peer implements NetworkPeer {
        private final int id;
        private int lives;
        private @Nullable ProcessThreads running;

        Peer(int id) {
            this.id = id;
            start();
        }

        void start() {
            lives++;
            running = new ProcessThreads(world, id, "process/" + id + "/" + lives);
        }

        void crash() {
            ProcessThreads ended = process();
            powerLoss();
            network.processEnded(ended);
        }

        void powerLoss() {
            process().die();
            running = null;
            network.machineLost();
        }

        ProcessThreads process() {
            return Objects.requireNonNull(running);
        }

        @Override
        public int id() {
            return id;
        }

        @Override
        public @Nullable ProcessThreads threads() {
            return running;
        }
    }

    private void serve(String question, Consumer<@Nullable String> reply) {
        served.add(question);
        reply.accept("re " + question);
    }

    private void ask(String question) {
        ask(MessageKind.PROPOSE, question);
    }

    private void ask(MessageKind kind, String question) {
        network.<String>call(
                new SimNetwork.Route(kind, one.process(), two, TIMEOUT),
                reply -> serve(question, reply),
                answer -> answered.add(answer == null ? "none for " + question : answer));
    }

    /** A call that is served and not answered. */
    private void askInVain(String question) {
        network.<String>call(
                new SimNetwork.Route(MessageKind.PROPOSE, one.process(), two, TIMEOUT),
                reply -> served.add(question),
                answer -> answered.add(answer == null ? "none for " + question : answer));
    }

    private SimStream stream() {
        return network.open(MessageKind.FETCH, one.process(), two);
    }

    private void ask(SimStream stream, String question) {
        stream.<String>call(
                TIMEOUT,
                reply -> serve(question, reply),
                answer -> answered.add(answer == null ? "none for " + question : answer));
    }

    /** A request that waits at the other host until the test answers it. */
    private void askAndWait(SimStream stream, String question) {
        stream.<String>call(
                TIMEOUT,
                reply -> {
                    served.add(question);
                    open.add(reply);
                },
                answer -> answered.add(answer == null ? "none for " + question : answer));
    }

    private static List<String> numbers(int count) {
        List<String> numbers = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            numbers.add("q" + i);
        }
        return numbers;
    }

    @Test
    void shouldCarryCallsAndAnswersInOrder() {
        numbers(100).forEach(this::ask);

        world.run(Duration.ofMillis(1));

        assertThat(served).isEqualTo(numbers(100));
        assertThat(answered).isEqualTo(numbers(100).stream().map(q -> "re " + q).toList());
        assertThat(network.outstanding()).isZero();
    }

    // Fails if: SimNetwork.faults(from, to) answers the link of the other direction
    @Test
    void shouldCutOneDirectionAlone() {
        // given
        network.cut(1, 2);
        ask("lost");

        // when
        world.run(TIMEOUT.minusNanos(1));
        List<String> before = List.copyOf(answered);
        world.run(Duration.ofNanos(1));

        // then
        assertThat(before).isEmpty();
        assertThat(served).isEmpty();
        assertThat(answered).containsExactly("none for lost");
    }

    @Test
    void shouldServeACallWhoseAnswerIsLost() {
        network.cut(2, 1);

        ask("served");
        world.run(TIMEOUT);

        assertThat(served).containsExactly("served");
        assertThat(answered).containsExactly("none for served");
    }

    @Test
    void shouldCarryWhatIsSentAfterACut() {
        network.cut(1, 2);
        network.heal(1, 2);

        ask("q");
        world.run(ROUND);

        assertThat(answered).containsExactly("re q");
    }

    // Fails if: SimLink.sendBadly drops without telling
    @Test
    void shouldTellTheCallerOfADroppedCallAtOnce() {
        network.faults(1, 2, LinkFaults.NONE.withDrops(1_000));

        ask("dropped");
        world.run(ROUND);

        assertThat(served).isEmpty();
        assertThat(answered).containsExactly("none for dropped");
    }

    @Test
    void shouldServeADuplicatedCallTwiceAndAnswerItOnce() {
        network.faults(1, 2, LinkFaults.NONE.withDuplicates(1_000, 500));

        ask("q");
        world.run(TIMEOUT);

        assertThat(served).containsExactly("q", "q");
        assertThat(answered).containsExactly("re q");
    }

    // Fails if: SimCall.arriveAgain asks the process that got the call
    @Test
    void shouldGiveALateCopyToTheNextProcess() {
        // given
        network.faults(1, 2, LinkFaults.NONE.withDuplicates(1_000, 5_000));
        List<String> lives = new ArrayList<>();
        network.<String>call(
                new SimNetwork.Route(MessageKind.PROPOSE, one.process(), two, TIMEOUT),
                reply -> lives.add(two.process().toString()),
                answer -> {});
        world.run(ROUND);

        // when
        two.crash();
        two.start();
        world.run(Duration.ofSeconds(6));

        // then
        assertThat(lives).containsExactly("process/2/1", "process/2/2");
    }

    @Test
    void shouldLetCallsOvertakeEachOtherAndKeepStreamsInOrder() {
        // given
        network.faults(1, 2, LinkFaults.NONE.withReorder(500));

        // when
        numbers(50).forEach(this::ask);
        world.run(Duration.ofMillis(100));
        List<String> calls = List.copyOf(served);
        served.clear();
        SimStream stream = stream();
        numbers(50).forEach(question -> ask(stream, question));
        world.run(Duration.ofMillis(100));

        // then
        assertThat(calls).hasSize(50).containsAll(numbers(50)).isNotEqualTo(numbers(50));
        assertThat(served).isEqualTo(numbers(50));
    }

    @Test
    void shouldBeLateAndStillInOrder() {
        network.faults(1, 2, LinkFaults.NONE.withExtraDelay(300));

        numbers(50).forEach(this::ask);
        world.run(ROUND);
        int early = served.size();
        world.run(Duration.ofMillis(300));

        assertThat(early).isLessThan(10);
        assertThat(served).isEqualTo(numbers(50));
    }

    @Test
    void shouldSpareMessagesToOneself() {
        network.cut(1, 1);
        List<String> own = new ArrayList<>();

        network.<String>call(
                new SimNetwork.Route(MessageKind.PROPOSE, one.process(), one, TIMEOUT),
                reply -> reply.accept("self"),
                answer -> own.add(String.valueOf(answer)));
        world.run(ROUND);

        assertThat(own).containsExactly("self");
    }

    // Fails if: SimLink draws its faults from the randomness of its delays
    @Test
    void shouldLeaveTheDelaysOfALinkAsTheyAreWithoutFaults() {
        SortedMap<Integer, Long> well = arrivals(LinkFaults.NONE);
        SortedMap<Integer, Long> disturbed = arrivals(LinkFaults.NONE.withDrops(300));

        assertThat(well).hasSize(20);
        assertThat(disturbed).hasSizeBetween(5, 19);
        assertThat(well).containsAllEntriesOf(disturbed);
    }

    /** When which of some calls arrived. */
    private static SortedMap<Integer, Long> arrivals(LinkFaults faults) {
        SimNetworkTest run = new SimNetworkTest();
        run.network.faults(1, 2, faults);
        SortedMap<Integer, Long> times = new TreeMap<>();
        for (int i = 0; i < 20; i++) {
            int number = i;
            run.network.<String>call(
                    new SimNetwork.Route(MessageKind.METADATA, run.one.process(), run.two, TIMEOUT),
                    reply -> times.put(number, run.world.clock().monotonicNs()),
                    answer -> {});
            run.world.run(ROUND);
        }
        return times;
    }

    // Fails if: SimStream.Request.lost breaks nothing
    @Test
    void shouldBreakAStreamWithADroppedRequest() {
        // given
        SimStream stream = stream();
        askAndWait(stream, "a");
        world.run(ROUND);

        // when
        network.faults(1, 2, LinkFaults.NONE.withDrops(1_000));
        ask(stream, "b");
        world.run(ROUND);
        network.healAll();
        ask(stream, "c");
        world.run(ROUND);

        // then
        assertThat(answered).containsExactly("none for a", "none for b", "re c");
        assertThat(served).containsExactly("a", "c");
    }

    // Fails if: SimStream delivers what follows a lost request
    @Test
    void shouldLoseWithAStreamWhatFollowsALostRequest() {
        // given
        SimStream stream = stream();
        network.cut(1, 2);
        ask(stream, "a");
        world.run(ROUND);

        // when
        network.heal(1, 2);
        ask(stream, "b");
        world.run(TIMEOUT);
        ask(stream, "c");
        world.run(ROUND);

        // then
        assertThat(served).containsExactly("c");
        assertThat(answered).containsExactly("none for a", "none for b", "re c");
    }

    @Test
    void shouldLoseWithAStreamWhatFollowsALostAnswer() {
        // given
        SimStream stream = stream();
        network.cut(2, 1);
        ask(stream, "a");
        world.run(ROUND);

        // when
        network.heal(2, 1);
        ask(stream, "b");
        world.run(TIMEOUT);

        // then
        assertThat(served).containsExactly("a", "b");
        assertThat(answered).containsExactly("none for a", "none for b");
    }

    // Fails if: SimStream.Request.answered sends without looking at those before it
    @Test
    void shouldAnswerAStreamInTheOrderOfItsRequests() {
        // given
        SimStream stream = stream();
        askAndWait(stream, "slow");
        ask(stream, "quick");
        world.run(ROUND);
        List<String> before = List.copyOf(answered);

        // when
        open.get(0).accept("at last");
        world.run(ROUND);

        // then
        assertThat(before).isEmpty();
        assertThat(answered).containsExactly("at last", "re quick");
    }

    @Test
    void shouldBreakAStreamWithATimeout() {
        // given
        SimStream stream = stream();
        askAndWait(stream, "a");
        world.run(TIMEOUT.dividedBy(2));
        askAndWait(stream, "b");

        // when
        world.run(TIMEOUT.dividedBy(2));
        open.forEach(reply -> reply.accept("too late"));
        world.run(ROUND);

        // then
        assertThat(answered).containsExactly("none for a", "none for b");
        assertThat(network.outstanding()).isZero();
    }

    @Test
    void shouldRepeatOfAStreamOnlyWhatWasOutstandingAtItsBreak() {
        // given
        network.faults(1, 2, LinkFaults.NONE.withDuplicates(1_000, 1_000));
        SimStream stream = stream();
        ask(stream, "answered");
        world.run(Duration.ofSeconds(1));
        askAndWait(stream, "outstanding");
        world.run(ROUND);
        assertThat(served).containsExactly("answered", "outstanding");

        // when
        stream.close();
        world.run(Duration.ofSeconds(2));

        // then
        assertThat(served).containsExactly("answered", "outstanding", "outstanding");
        assertThat(answered).containsExactly("re answered", "none for outstanding");
    }

    @Test
    void shouldRefuseWhatIsSentOnAClosedStream() {
        SimStream stream = stream();
        stream.close();
        stream.close();

        ask(stream, "q");

        assertThat(answered).containsExactly("none for q");
        assertThat(network.outstanding()).isZero();
    }

    @Test
    void shouldTellCallersThatAProcessEnded() {
        // given
        SimStream stream = stream();
        askAndWait(stream, "stream");
        askInVain("call");
        world.run(ROUND);

        // when
        two.crash();
        world.run(ROUND);

        // then
        assertThat(answered).containsExactlyInAnyOrder("none for stream", "none for call");
        assertThat(network.outstanding()).isZero();
    }

    // Fails if: SimNetwork.machineLost tells callers
    @Test
    void shouldTellNobodyThatAMachineIsGone() {
        // given
        SimStream stream = stream();
        askAndWait(stream, "stream");
        askInVain("call");
        world.run(ROUND);

        // when
        two.powerLoss();
        world.run(TIMEOUT.minus(ROUND).minusNanos(1));
        List<String> before = List.copyOf(answered);
        world.run(ROUND);

        // then
        assertThat(before).isEmpty();
        assertThat(answered).containsExactly("none for stream", "none for call");
    }

    @Test
    void shouldBreakAStreamThatFindsAnotherProcess() {
        // given
        SimStream stream = stream();
        ask(stream, "first");
        world.run(ROUND);
        two.powerLoss();
        two.start();

        // when
        ask(stream, "second");
        world.run(ROUND);
        ask(stream, "third");
        world.run(ROUND);

        // then
        assertThat(served).containsExactly("first", "third");
        assertThat(answered).containsExactly("re first", "none for second", "re third");
    }

    @Test
    void shouldAnswerAtOnceWhereNobodyListens() {
        // given
        two.powerLoss();
        SimStream stream = stream();

        // when
        ask("call");
        ask(stream, "stream");
        world.run(ROUND);

        // then
        assertThat(answered).containsExactlyInAnyOrder("none for call", "none for stream");
    }

    @Test
    void shouldWaitForAProcessWithAPatientCall() {
        // given
        two.powerLoss();
        ask(MessageKind.LOG_ENDS, "patient");
        world.run(Duration.ofSeconds(1));

        // when
        two.start();
        world.run(Duration.ofSeconds(1));

        // then
        assertThat(answered).containsExactly("re patient");
    }

    @Test
    void shouldNotAnswerTheDead() {
        ask("q");

        one.crash();
        world.run(TIMEOUT);

        assertThat(served).containsExactly("q");
        assertThat(answered).isEmpty();
        assertThat(network.outstanding()).isZero();
    }

    @Test
    void shouldKeepMessagesForAPausedProcess() {
        // given
        two.process().pause();
        ask("q");
        world.run(TIMEOUT.plus(ROUND));
        List<String> servedBefore = List.copyOf(served);

        // when
        two.process().resume();
        world.run(ROUND);

        // then
        assertThat(servedBefore).isEmpty();
        assertThat(served).containsExactly("q");
        assertThat(answered).containsExactly("none for q");
    }

    @Test
    void shouldHoldMessagesAtAGate() {
        // given
        MessageGate gate = network.hold(MessageKind.PROPOSE_ANSWER, 2, 1);
        numbers(3).forEach(this::ask);
        ask(MessageKind.METADATA, "other");
        world.run(ROUND);
        assertThat(gate.held()).isEqualTo(3);
        assertThat(answered).containsExactly("re other");

        // when
        gate.deliver();
        world.run(ROUND);
        List<String> afterOne = List.copyOf(answered);
        gate.release();
        ask("q3");
        world.run(ROUND);

        // then
        assertThat(afterOne).containsExactly("re other", "re q0");
        assertThat(answered).containsExactly("re other", "re q0", "re q1", "re q2", "re q3");
    }

    @Test
    void shouldLoseWhatAGateDrops() {
        // given
        MessageGate gate = network.hold(MessageKind.PROPOSE, 1, 2);
        ask("q");
        world.run(ROUND);

        // when
        gate.drop();
        world.run(ROUND);

        // then
        assertThat(gate.held()).isZero();
        assertThat(gate.deliver()).isFalse();
        assertThat(served).isEmpty();
        assertThat(answered).containsExactly("none for q");
    }

    @Test
    void shouldTellWithoutAnAnswer() {
        network.tell(MessageKind.STORAGE_FAILED, one.process(), two, () -> served.add("told"));
        world.run(ROUND);
        two.powerLoss();
        network.tell(MessageKind.STORAGE_FAILED, one.process(), two, () -> served.add("nobody"));
        world.run(ROUND);

        assertThat(served).containsExactly("told");
    }

    @Test
    void shouldRefuseKindsThatTravelAnotherWay() {
        assertThatThrownBy(() -> ask(MessageKind.FETCH, "q")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> network.open(MessageKind.PROPOSE, one.process(), two))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> network.tell(MessageKind.FETCH, one.process(), two, () -> {}))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
