package io.tidemark.checker;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.checker.CheckOptions.WriteOrder;
import io.tidemark.checker.RandomHistory.Fault;
import io.tidemark.history.EventSink;
import io.tidemark.history.History;
import io.tidemark.history.HistoryBuilder;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Random histories of a right log are valid, and each fault that is planted in one is found. A failure prints its seed. */
final class RandomHistoryTest {
    private static final int SEEDS = 40;
    private static final int OPERATIONS = 400;

    /** What must be among the bad kinds when a fault was planted; other kinds may come with it. */
    private static final Map<Fault, List<String>> TELLTALES = Map.of(
            Fault.LOSS, List.of("acked-record-lost"),
            Fault.DUPLICATE, List.of("duplicate"),
            Fault.SKIP, List.of("consumer-skip", "poll-skip"),
            Fault.REWIND, List.of("consumer-rewind", "nonmonotonic-poll"),
            Fault.ABORTED, List.of("G1a"),
            Fault.REORDER, List.of("nonmonotonic-send", "producer-reorder"));

    // Fails if: any check takes what a right log does for an anomaly.
    @Test
    void shouldFindNothingInWhatARightLogDoes() {
        for (long seed = 1; seed <= SEEDS; seed++) {
            HistoryBuilder builder = new HistoryBuilder();
            new RandomHistory(seed, OPERATIONS, Fault.NONE, EventSink.into(builder)).run();
            Verdict verdict = Checker.check(builder.build(), CheckOptions.STRICT);
            assertThat(verdict.found()).as("seed %d", seed).isEmpty();
            assertThat(verdict.coverage().read()).as("seed %d", seed).isGreaterThan(OPERATIONS / 10);
        }
    }

    // Fails if: the check that should see the fault is blind to it in any of the places where chance puts it.
    @ParameterizedTest
    @EnumSource(value = Fault.class, mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void shouldFindWhatWasPlanted(Fault fault) {
        int planted = 0;
        for (long seed = 1; seed <= SEEDS; seed++) {
            HistoryBuilder builder = new HistoryBuilder();
            if (new RandomHistory(seed, OPERATIONS, fault, EventSink.into(builder)).run()) {
                planted++;
                assertThat(Checker.check(builder.build(), CheckOptions.STRICT).badKinds())
                        .as("seed %d", seed)
                        .containsAll(TELLTALES.get(fault));
            }
        }
        assertThat(planted).isGreaterThan(SEEDS / 2);
    }

    // Fails if: an order that differs from run to run comes into a verdict.
    @Test
    void shouldComeToTheSameVerdictEachTime() {
        HistoryBuilder builder = new HistoryBuilder();
        new RandomHistory(7, OPERATIONS, Fault.LOSS, EventSink.into(builder)).run();
        History history = builder.build();

        String first = VerdictJson.of(Checker.check(history, CheckOptions.STRICT)).toString();
        assertThat(VerdictJson.of(Checker.check(history, CheckOptions.STRICT)).toString())
                .isEqualTo(first);
    }

    // Fails if: anything in the way of a long history is more than near linear, or holds more than memory has.
    @Test
    void shouldJudgeAHundredThousandOperations() {
        judgeLong(100_000);
    }

    /** The same at the size of a long run: a check that is not near linear does not end within the minute of a test. */
    @Test
    @Tag("slow")
    void shouldJudgeAMillionOperations() {
        judgeLong(1_000_000);
    }

    private static void judgeLong(int operations) {
        // given
        HistoryBuilder builder = new HistoryBuilder();
        new RandomHistory(1, operations, Fault.NONE, EventSink.into(builder)).run();

        // when
        Verdict verdict = Checker.check(builder.build(), CheckOptions.STRICT.with(WriteOrder.DRAWN));

        // then
        assertThat(verdict.badKinds()).isEmpty();
        assertThat(verdict.isValid()).isTrue();
        assertThat(verdict.coverage().operations()).isGreaterThan(operations);
        assertThat(verdict.coverage().finalReads()).isEqualTo(4);
    }

    /** Nor where everything is wrong at once: each value stands at one offset, or each lies out of order. */
    @Test
    void shouldStayLinearWhereEverythingIsWrong() {
        Map<String, Long> counts = new TreeMap<>();
        Story story = new Story();
        int many = 30_000;
        for (int i = 0; i < many; i++) {
            story.sent(0, 0, i, 0);
            story.sent(0, 1, i, many - i);
        }
        story.polled(1, 1, many, 0, 1, many - 1);

        // when
        Verdict verdict = story.verdict(CheckOptions.STRICT.with(WriteOrder.DRAWN));
        verdict.found().forEach(kind -> counts.put(kind.kind().label(), kind.count()));

        // then
        assertThat(counts)
                .containsEntry("inconsistent-offsets", 1L)
                .containsEntry("nonmonotonic-send", 2L * many - 2)
                .containsEntry("lost-write", many - 2L);
        verdict.found()
                .forEach(kind -> assertThat(kind.cases()).hasSizeLessThanOrEqualTo(CheckOptions.STRICT.maxCases()));
    }
}
