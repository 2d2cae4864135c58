package io.tidemark.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Each fault of a link, for streams, and what it does to callers (DESIGN section 9). */
final class SimStreamTest extends NetworkRig {
    @Test
    void shouldCarryCallsAndAnswersInOrder() {
        numbers(100).forEach(this::ask);

        world.run(Duration.ofMillis(1));

        assertThat(served).isEqualTo(numbers(100));
        assertThat(answered).isEqualTo(numbers(100).stream().map(q -> "re " + q).toList());
        assertThat(network.outstanding()).isZero();
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
}
