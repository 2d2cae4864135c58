package io.tidemark.sim.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.model.Member;
import io.tidemark.model.PartitionState;
import io.tidemark.model.TopicId;
import io.tidemark.model.TopicPartition;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Who answers for an acknowledged record, as a table. Brokers are A, B and C; min ISR is 2 at first, and a letter stands for a broker:
 *
 * <pre>
 *   isr AB      a state with that ISR in the same leader epoch: who is new there was proposed
 *   elect B/B   a state of the next leader epoch: the leader, then its ISR
 *   none/B      a state of the next leader epoch without a leader
 *   min 1       a state with another min ISR
 *   commit      the record is committed by a leader that has confirmed the last state
 *   late        the same by a leader that has confirmed the first state alone
 *   lose A      a disaster took A's copy
 *   gone A      a disaster had taken A's copy before the leader, which still counts it, committed the record
 *   back A      A has a copy again
 * </pre>
 */
final class AccountableTest {
    private static final BatchMark RECORD = Marks.batch(0, 0, "r");

    // I12, DESIGN section 6: what the eligible set is for, said without it
    // Fails if: Accountable.move always takes the ISR, or always keeps who answered before
    @ParameterizedTest(name = "{0} -> {1}")
    @CsvSource({
        // Who leaves while the ISR stays at min ISR answers no more; who leaves it below min ISR still does.
        "'isr ABC, commit', ABC",
        "'isr ABC, commit, isr AB', AB",
        "'isr ABC, commit, isr AB, isr A', AB",
        "'isr ABC, commit, isr A', ABC",
        "'isr AB, commit, isr A', AB",
        "'isr ABC, commit, isr AB, isr A, isr AC', AC",
        "'isr ABC, commit, isr A, isr AB', AB",
        "'isr ABC, commit, isr A, isr AB, isr ABC', ABC",
        // Elections move nothing by themselves.
        "'isr ABC, commit, elect B/BC', BC",
        "'isr ABC, commit, elect B/BC, none/C, elect C/C', BC",
        "'isr ABC, commit, isr A, elect B/B', ABC",
        "'isr AB, commit, isr A, none/A, elect B/B, isr BC', BC",
        // A leader that does not know the last states has its own ISR behind it, and they count.
        "'isr ABC, late', ABC",
        "'isr ABC, isr AB, late', AB",
        "'isr ABC, elect B/B, late', ABC",
        "'isr AB, elect B/B, isr BC, late', BC",
        // Min ISR: lowering it forgets who is outside; raising it adds nobody.
        "'isr ABC, commit, isr A, min 1', A",
        "'isr ABC, commit, isr A, min 1, isr AB, isr B', B",
        "'min 1, isr A, commit, min 2', A",
        "'min 1, isr A, commit, min 2, isr AB, isr B', AB",
        "'isr ABC, commit, min 3', ABC",
        "'isr AB, commit, min 3', AB",
        "'isr AB, commit, min 3, isr A', AB",
        "'min 1, isr AB, commit, isr A', A",
    })
    void shouldAnswerByTheStatesAlone(String story, String expected) {
        assertThat(told(story)).isEqualTo(expected);
    }

    // I11, I12: disasters take copies, and only they excuse
    // Fails if: Accountable.move forgets who is without a copy
    @ParameterizedTest(name = "{0} -> {1}")
    @CsvSource({
        "'isr ABC, commit, lose A', BC",
        "'isr ABC, commit, lose A, lose B', C",
        "'isr ABC, commit, lose A, lose B, lose C', excused",
        "'isr AB, commit, lose A, lose B', excused",
        "'isr AB, commit, lose C', AB",
        "'min 1, isr A, commit, lose A', excused",
        // It lost its disk, stays on record as the last member, and does not answer again by that.
        "'isr AB, commit, isr A, lose A', B",
        "'isr AB, commit, isr A, lose A, none/A', B",
        "'isr AB, commit, isr A, lose A, none/A, lose B', excused",
        "'isr AB, commit, isr A, lose A, none/A, elect B/B, isr AB', B",
        "'isr AB, commit, isr A, lose A, none/A, elect B/B, back A, isr AB', AB",
        // A recovery election of whoever has no copy excuses nothing while another has one.
        "'isr AB, commit, isr A, lose A, none/A, elect A/A', B",
        "'isr AB, commit, isr A, lose A, none/A, elect A/A, lose B', excused",
        // It was out of the ISR when its disk went.
        "'isr ABC, commit, isr AB, lose C, lose A', B",
        "'isr ABC, commit, isr AB, lose C, lose A, lose B', excused",
        // The operator lowered min ISR, and the one copy that is left to answer is gone.
        "'isr ABC, commit, isr A, min 1, lose A', excused",
        "'isr ABC, commit, isr A, lose A, min 1', excused",
        // The controller forgot B by the rules, and then the last one went.
        "'isr ABC, commit, isr AC, lose A, lose C', excused",
        // What an excused record was is over: nobody answers again.
        "'isr AB, commit, lose A, lose B, back A, elect C/C, isr AC', excused",
    })
    void shouldExcuseOnlyWhatDisastersTookFromAllWhoAnswer(String story, String expected) {
        assertThat(told(story)).isEqualTo(expected);
    }

    // I6: a leader may count a copy that went down with its machine after it was proved
    // Fails if: Accountable.add takes every member of the ISR for one with a copy
    @ParameterizedTest(name = "{0} -> {1}")
    @CsvSource({
        "'isr ABC, gone B, commit', AC",
        "'isr ABC, gone B, commit, lose A, lose C', excused",
        "'isr ABC, gone B, gone C, elect B/BC, late', excused",
        "'isr ABC, gone C, commit, isr AB, back C, isr ABC', ABC",
        "'isr ABC, gone C, commit, isr AB, isr ABC', AB",
    })
    void shouldNotAskForCopiesThatWentBetweenProofAndCommit(String story, String expected) {
        assertThat(told(story)).isEqualTo(expected);
    }

    // I2
    // Fails if: Accountable.committed takes what it is shown later for the committed batch
    @Test
    void shouldNameTheCommittedBatchThatAnotherContradicts() {
        // given
        Story story = new Story();
        story.tell("isr ABC, commit");

        // when / then
        assertThat(story.show(Marks.batch(0, 0, "r"))).isEmpty();
        assertThat(story.show(Marks.batch(0, 1, "r"))).contains(RECORD);
        assertThat(story.show(Marks.batch(0, 0, "x"))).contains(RECORD);
        assertThat(story.show(Marks.batch(1, 1, "s"))).isEmpty();
        assertThat(story.show(Marks.batch(1, 1, "s", "t"))).contains(Marks.batch(1, 1, "s"));
    }

    // I12: after a recovery election offsets are given again, and a replica may still show the old record before it is
    // told
    // Fails if: Accountable.committed forgets what took the place of an excused batch, or the excused batch itself
    @Test
    void shouldLetAnotherBatchTakeThePlaceOfAnExcusedOne() {
        // given
        Story story = new Story();
        story.tell("isr AB, commit, lose A, lose B, back A, back B, none/A, elect A/A, isr AB");
        BatchMark next = Marks.batch(0, 2, "s");

        // when
        Optional<BatchMark> first = story.show(next);

        // then
        assertThat(first).isEmpty();
        assertThat(story.accountable.answerable(0)).containsExactly(0, 1);
        assertThat(story.show(RECORD)).as("from before").isEmpty();
        assertThat(story.show(Marks.batch(0, 2, "t"))).contains(next);
        assertThat(story.accountable.excused()).containsExactly(0L);
        assertThat(story.accountable.excusedBatches()).isEqualTo(1);
    }

    // Fails if: Accountable.agree compares batches of compacted partitions by their CRC
    @Test
    void shouldLetBatchesOfCompactedPartitionsShrink() {
        // given
        Story story = new Story(Cleanup.COMPACT);
        story.tell("isr AB");
        BatchMark whole = new BatchMark(0, 1, 0, 77, List.of(new RecordMark(0, "k", "a"), new RecordMark(1, "l", "b")));

        // when
        story.show(whole);

        // then
        assertThat(story.show(new BatchMark(0, 1, 0, 78, List.of(new RecordMark(1, "l", "b")))))
                .isEmpty();
        assertThat(story.show(new BatchMark(0, 1, 0, 79, List.of(new RecordMark(1, "l", "c")))))
                .contains(whole);
    }

    @Test
    void shouldRefuseBrokerIdsThatDoNotFit() {
        Story story = new Story();

        assertThatThrownBy(() -> story.accountable.destroyed(64, batch -> true))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private static String told(String text) {
        Story story = new Story();
        story.tell(text);
        if (story.accountable.excusedBatches() > 0) {
            return "excused";
        }
        StringBuilder letters = new StringBuilder();
        story.accountable.answerable(0).forEach(id -> letters.append((char) ('A' + id)));
        return letters.toString();
    }

    private static final class Story {
        private final SortedSet<Integer> gone = new TreeSet<>();
        private final Accountable accountable;
        private final List<PartitionState> states = new ArrayList<>();
        private int minIsr = 2;
        private int leaderEpoch;
        private int leader;
        private List<Integer> isr = List.of(0, 1, 2);

        private Story() {
            this(Cleanup.DELETE);
        }

        private Story(Cleanup cleanup) {
            this.accountable = new Accountable(cleanup, (broker, batch, epoch) -> gone.contains(broker));
        }

        private void tell(String text) {
            for (String step : text.split(", ")) {
                String[] words = step.split("[ /]");
                String last = words[words.length - 1];
                switch (words[0]) {
                    case "isr" -> isr = ids(last);
                    case "elect" -> {
                        leaderEpoch++;
                        leader = ids(words[1]).get(0);
                        isr = ids(last);
                    }
                    case "none" -> {
                        leaderEpoch++;
                        leader = PartitionState.NO_LEADER;
                        isr = ids(last);
                    }
                    case "min" -> minIsr = Integer.parseInt(last);
                    default -> {
                        happens(words[0], last);
                        continue;
                    }
                }
                record();
            }
        }

        private void happens(String what, String whom) {
            switch (what) {
                case "commit" -> show(RECORD);
                case "late" -> accountable.committed(RECORD, states.get(0));
                case "lose" -> {
                    int id = ids(whom).get(0);
                    gone.add(id);
                    accountable.destroyed(id, batch -> true);
                }
                case "gone" -> gone.addAll(ids(whom));
                case "back" -> gone.removeAll(ids(whom));
                default -> throw new IllegalArgumentException(what);
            }
        }

        private Optional<BatchMark> show(BatchMark batch) {
            return accountable.committed(batch, states.get(states.size() - 1));
        }

        private void record() {
            PartitionState state = new PartitionState(
                    new TopicId(7, 7),
                    new TopicPartition("t", 0),
                    leader,
                    leaderEpoch,
                    states.size(),
                    List.of(0, 1, 2),
                    isr.stream().map(id -> new Member(id, 1)).toList(),
                    List.of(),
                    minIsr,
                    1);
            states.add(state);
            accountable.recorded(state);
        }

        private static List<Integer> ids(String letters) {
            return letters.chars().map(letter -> letter - 'A').boxed().toList();
        }
    }
}
