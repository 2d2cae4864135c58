package io.tidemark.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Each fault of a link, for single calls, and what it does to callers (DESIGN section 9). */
final class SimNetworkTest extends NetworkRig {
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
