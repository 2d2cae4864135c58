package io.tidemark.coordination.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.coordination.broker.PeerProbe.Outcome;
import io.tidemark.coordination.broker.PeerProbe.Suspect;
import io.tidemark.coordination.controller.FailureProbe.Step;
import io.tidemark.coordination.controller.FailureProbe.Verdict;
import io.tidemark.model.BrokerRegistration;
import io.tidemark.model.Endpoint;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every way in which a suspicion can end. A story is a list of answers: {@code R}, {@code C}, {@code U} for a refused, an
 * accepted and an unanswered check or opinion, {@code -} for an other broker's silence.
 */
final class FailureProbeTest {
    private static final Suspect SUSPECT = new Suspect(1, new Endpoint("broker-1", 9093));

    private static BrokerRegistration broker(int id) {
        Endpoint endpoint = new Endpoint("broker-" + id, 9093);
        return new BrokerRegistration(
                id,
                100 + id,
                id,
                endpoint,
                endpoint,
                endpoint,
                "",
                List.of("d" + id),
                BrokerRegistration.PROVES_NOTHING);
    }

    private static List<BrokerRegistration> others(int count) {
        List<BrokerRegistration> others = new ArrayList<>();
        for (int id = 3; id < 3 + count; id++) {
            others.add(broker(id));
        }
        return others;
    }

    /** What was asked, in words, and how it ended. */
    private static String play(int others, String answers) {
        FailureProbe probe = new FailureProbe(SUSPECT, others(others));
        List<String> asked = new ArrayList<>();
        Step step = probe.begin();
        for (char answer : answers.toCharArray()) {
            if (step instanceof Step.Check check) {
                asked.add("check " + check.of().brokerId());
                step = probe.onCheck(outcome(answer));
            } else if (step instanceof Step.Ask ask) {
                asked.add("ask " + ask.whom().id());
                step = probe.onOpinion(answer == '-' ? null : outcome(answer));
            } else {
                asked.add("nothing more");
            }
        }
        assertThat(step).as("after %s", asked).isInstanceOf(Step.Done.class);
        return String.join(", ", asked) + ": " + ((Step.Done) step).verdict();
    }

    private static Outcome outcome(char answer) {
        return switch (answer) {
            case 'R' -> Outcome.REFUSED;
            case 'C' -> Outcome.CONNECTED;
            case 'U' -> Outcome.UNKNOWN;
            default -> throw new IllegalArgumentException("no outcome: " + answer);
        };
    }

    // DESIGN 6: fast detection; two connects are refused here, and one other live broker, if any, confirms.
    // Fails if: FailureProbe.onOpinion takes UNKNOWN for a confirmation
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0 | R   | check 1: DEAD",
                "0 | C   | check 1: NOT_PROVEN",
                "0 | U   | check 1: NOT_PROVEN",
                "1 | C   | check 1: NOT_PROVEN",
                "1 | U   | check 1: NOT_PROVEN",
                "1 | RR  | check 1, ask 3: DEAD",
                "1 | RC  | check 1, ask 3: NOT_PROVEN",
                "1 | RU  | check 1, ask 3: NOT_PROVEN",
                "1 | R-R | check 1, ask 3, check 3: DEAD",
                "1 | R-C | check 1, ask 3, check 3: NOT_PROVEN",
                "1 | R-U | check 1, ask 3, check 3: NOT_PROVEN",
                "2 | RR  | check 1, ask 3: DEAD",
                "2 | RC  | check 1, ask 3: NOT_PROVEN",
                "2 | RU  | check 1, ask 3: NOT_PROVEN",
                "2 | R-RR   | check 1, ask 3, check 3, ask 4: DEAD",
                "2 | R-RC   | check 1, ask 3, check 3, ask 4: NOT_PROVEN",
                "2 | R-RU   | check 1, ask 3, check 3, ask 4: NOT_PROVEN",
                "2 | R-UR   | check 1, ask 3, check 3, ask 4: DEAD",
                "2 | R-CR   | check 1, ask 3, check 3, ask 4: DEAD",
                "2 | R-UC   | check 1, ask 3, check 3, ask 4: NOT_PROVEN",
                "2 | R-R-R  | check 1, ask 3, check 3, ask 4, check 4: DEAD",
                "2 | R-U-R  | check 1, ask 3, check 3, ask 4, check 4: NOT_PROVEN",
                "2 | R-R-U  | check 1, ask 3, check 3, ask 4, check 4: NOT_PROVEN",
                "2 | R-C-R  | check 1, ask 3, check 3, ask 4, check 4: NOT_PROVEN",
                "2 | R-U-U  | check 1, ask 3, check 3, ask 4, check 4: NOT_PROVEN",
            })
    void shouldDecideByTheTable(int others, String answers, String expected) {
        assertThat(play(others, answers)).isEqualTo(expected);
    }

    static Stream<Arguments> everyStory() {
        List<Arguments> stories = new ArrayList<>();
        for (int others = 0; others <= 3; others++) {
            extend(stories, others, "");
        }
        return stories.stream();
    }

    private static void extend(List<Arguments> stories, int others, String answers) {
        Step step = stepAfter(others, answers);
        if (step instanceof Step.Done done) {
            stories.add(Arguments.of(others, answers, done.verdict()));
            return;
        }
        for (char answer : (step instanceof Step.Ask ? "RCU-" : "RCU").toCharArray()) {
            extend(stories, others, answers + answer);
        }
    }

    private static Step stepAfter(int others, String answers) {
        FailureProbe probe = new FailureProbe(SUSPECT, others(others));
        Step step = probe.begin();
        for (char answer : answers.toCharArray()) {
            step = step instanceof Step.Ask
                    ? probe.onOpinion(answer == '-' ? null : outcome(answer))
                    : probe.onCheck(outcome(answer));
        }
        return step;
    }

    // DESIGN 6: a broker that is alive for anybody who was asked is not fenced, and somebody's silence confirms
    // nothing.
    // Fails if: FailureProbe.askNext forgets who was silent
    @ParameterizedTest
    @MethodSource("everyStory")
    void shouldTakeNobodyForDeadUnlessEverybodyWhoAnswersIsRefused(int others, String answers, Verdict verdict) {
        boolean refusedHere = answers.startsWith("R");
        boolean confirmed = answers.length() > 1 && answers.endsWith("R") && (answers.length() % 2 == 0);
        boolean nobodyElseLives = answers.matches("R(-R)*") && (answers.length() - 1) / 2 == others;

        assertThat(verdict == Verdict.DEAD).isEqualTo(refusedHere && (confirmed || nobodyElseLives));
    }

    @Test
    void shouldRefuseAnswersToNothing() {
        FailureProbe probe = new FailureProbe(SUSPECT, others(1));

        assertThatThrownBy(() -> probe.onOpinion(Outcome.REFUSED)).isInstanceOf(IllegalStateException.class);
        assertThat(probe.onCheck(Outcome.CONNECTED)).isEqualTo(new Step.Done(Verdict.NOT_PROVEN));
        assertThatThrownBy(() -> probe.onCheck(Outcome.REFUSED)).isInstanceOf(IllegalStateException.class);
    }
}
