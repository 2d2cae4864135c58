package io.tidemark.checker;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.history.Action.Function;
import io.tidemark.history.Action.Note;
import io.tidemark.history.Action.Start;
import io.tidemark.history.Action.Transfer;
import io.tidemark.history.Histories;
import io.tidemark.history.HistoryEvent;
import io.tidemark.history.HistoryRecorder;
import io.tidemark.history.Phase;
import io.tidemark.history.Step.Asked;
import io.tidemark.history.Step.Send;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What Jepsen's checker cannot see: each anomaly is found where it was planted, and not where it only nearly is. */
final class OwnAnomaliesTest {
    // I1, I13. Fails if: a record that was read once counts as safe for ever.
    @Test
    void shouldMissAnAcknowledgedRecordInTheFinalReadThoughItWasReadBefore() {
        Story story = new Story()
                .sent(0, 0, 1, 0)
                .sent(0, 0, 2, 1)
                .assigned(1, Start.BEGINNING, 0)
                .polled(1, 0, 0, 1, 1, 2)
                .assigned(2, Start.FINAL_READ, 0)
                .polled(2, 0, 0, 1);

        assertThat(story.cases(AnomalyKind.ACKED_RECORD_LOST))
                .containsExactly("key 0, value 2, writer 3, process 2, offset 1");
        assertThat(story.verdict().badKinds()).containsExactly("acked-record-lost");
    }

    @Test
    void shouldMissNothingThatAReadToTheEndReturned() {
        Story story = new Story()
                .sent(0, 0, 1, 0)
                .sendUnknown(0, 0, 2)
                .assigned(2, Start.FINAL_READ, 0)
                .polled(2, 0, 0, 1);

        assertThat(story.verdict().found()).isEmpty();
    }

    // Fails if: a reader that was interrupted is taken for one that was given everything.
    @Test
    void shouldNotJudgeByAFinalReadThatWasInterrupted() {
        Story story = new Story()
                .sent(0, 0, 1, 0)
                .sent(0, 0, 2, 1)
                .assigned(1, Start.FINAL_READ, 0)
                .polled(1, 0, 0, 1)
                .polls(1, Phase.INFO)
                .polled(3, 0, 1, 2);
        assertThat(story.verdict().found()).isEmpty();
        assertThat(story.verdict().coverage().finalReads()).isZero();

        story.assigned(2, Start.FINAL_READ, 0).polled(2, 0, 1, 2);
        assertThat(story.cases(AnomalyKind.ACKED_RECORD_LOST))
                .containsExactly("key 0, value 1, writer 1, process 2, offset 0");
    }

    // Fails if: what was acknowledged while the final read went on is missed in it.
    @Test
    void shouldNotMissWhatWasAcknowledgedLater() {
        Story story = new Story()
                .sent(0, 0, 1, 0)
                .assigned(2, Start.FINAL_READ, 0)
                .sent(0, 0, 2, 1)
                .polled(2, 0, 0, 1);

        assertThat(story.cases(AnomalyKind.ACKED_RECORD_LOST)).isEmpty();
    }

    // I15. Fails if: only acknowledged records are looked for.
    @Test
    void shouldMissARecordThatWasReadAndIsGone() {
        Story story = new Story()
                .sent(0, 0, 1, 0)
                .sendUnknown(3, 0, 2)
                .assigned(1, Start.BEGINNING, 0)
                .polled(1, 0, 0, 1, 1, 2)
                .assigned(2, Start.FINAL_READ, 0)
                .polled(2, 0, 0, 1);

        assertThat(story.cases(AnomalyKind.READ_RECORD_LOST))
                .containsExactly("key 0, value 2, reader 7, process 2, offset 1");
        assertThat(story.verdict().badKinds()).containsExactly("read-record-lost");
    }

    // Fails if: a reader that stops early counts as one that was given everything, or one key's reader answers for another.
    @Test
    void shouldMissWhatLiesBehindTheFinalReadAndInEachKey() {
        Story story = new Story()
                .sent(0, 0, 1, 0)
                .sent(0, 1, 1, 5)
                .assigned(2, Start.FINAL_READ, 0, 1)
                .polled(2, 0, 0, 1);

        assertThat(story.cases(AnomalyKind.ACKED_RECORD_LOST))
                .containsExactly("key 1, value 1, writer 3, process 2, offset 5");
    }

    // Fails if: compaction is not known of, or excuses the last record of a record key.
    @Test
    void shouldMissInACompactedKeyOnlyTheLastRecordOfARecordKey() {
        // given: 1 is overwritten by 3, and 2 by nobody
        Story story = new Story()
                .sends(0, Phase.OK, new Send(0, 1, 0, 7))
                .sends(0, Phase.OK, new Send(0, 2, 1, 8))
                .sends(0, Phase.OK, new Send(0, 3, 2, 7))
                .assigned(2, Start.FINAL_READ, 0)
                .polled(2, 0, 2, 3);

        // when, then
        assertThat(story.cases(AnomalyKind.ACKED_RECORD_LOST))
                .containsExactly("key 0, value 2, writer 3, process 2, offset 1");
        assertThat(story.cases(AnomalyKind.CONSUMER_SKIP))
                .containsExactly("key 0, op 9, offset 2, process 2, skipped 1 2");
        assertThat(story.verdict().badKinds()).containsExactly("acked-record-lost", "consumer-skip");
    }

    @Test
    void shouldExcuseWhatASendOfUnknownOutcomeMayHaveOverwritten() {
        Story story = new Story()
                .sends(0, Phase.OK, new Send(0, 1, 0, 7))
                .sends(0, Phase.INFO, new Send(0, 2, Send.UNKNOWN_OFFSET, 7))
                .assigned(2, Start.FINAL_READ, 0)
                .polls(2, Phase.OK);

        assertThat(story.verdict().found()).isEmpty();
    }

    // Fails if: ends and beginnings are confused.
    @Test
    void shouldSeeARecordThatIsReadBeforeItIsSent() {
        Story story = new Story().polled(1, 0, 0, 1).sent(0, 0, 1, 0);

        assertThat(story.cases(AnomalyKind.READ_BEFORE_SEND)).containsExactly("key 0, value 1, writer 3, reader 1");
    }

    @Test
    void shouldAllowARecordToBeReadBeforeItIsAcknowledged() {
        // given: the send begins, is read, and ends
        Transfer send = Transfer.of(Function.SEND, List.of(Send.of(0, 1)));
        Transfer sent = Transfer.of(Function.SEND, List.of(Send.of(0, 1).at(0)));
        Story story = new Story()
                .event(Phase.INVOKE, 0, send)
                .polled(1, 0, 0, 1)
                .event(Phase.OK, 0, sent);

        // when, then
        assertThat(story.verdict().found()).isEmpty();
    }

    // Fails if: an assignment makes the producer forget.
    @Test
    void shouldSeeThatAProducersRecordsLieOutOfOrderAcrossAnAssignment() {
        Story story = new Story()
                .sent(0, 0, 1, 5)
                .sentSomewhere(0, 0, 2)
                .assigned(0, Start.KEPT, 9)
                .sent(0, 0, 3, 4)
                .polled(1, 0, 4, 3, 5, 1, 6, 2);

        assertThat(story.cases(AnomalyKind.PRODUCER_REORDER))
                .containsExactly("key 0, ops 3 7, values 2 3, delta -2");
        assertThat(story.verdict().badKinds()).containsExactly("producer-reorder");
    }

    // Fails if: only neighbours are compared.
    @Test
    void shouldSeeThatAProducersRecordsLieOutOfOrderAcrossAnUnknownPlace() {
        Story story = new Story().sent(0, 0, 1, 5).sentSomewhere(0, 0, 2).sent(0, 0, 3, 4);

        assertThat(story.cases(AnomalyKind.PRODUCER_REORDER))
                .containsExactly("key 0, ops 1 5, values 1 3, delta -1");
        assertThat(story.verdict().badKinds()).containsExactly("producer-reorder", "unseen");
    }

    @Test
    void shouldAllowTwoProducersAnyOrder() {
        Story story = new Story()
                .sent(0, 0, 1, 5)
                .sent(1, 0, 2, 4)
                .sent(0, 0, 3, 6)
                .sent(0, 1, 4, 0)
                .polled(2, 0, 4, 2, 5, 1, 6, 3)
                .polled(2, 1, 0, 4);

        assertThat(story.verdict().found()).isEmpty();
    }

    // Fails if: a consumer that begins behind the first record is believed.
    @Test
    void shouldSeeThatAConsumerFromTheBeginningSkipsTheFirstRecord() {
        Story story = new Story()
                .sent(0, 0, 1, 0)
                .sent(0, 0, 2, 1)
                .polled(3, 0, 0, 1, 1, 2)
                .assigned(1, Start.BEGINNING, 0)
                .polled(1, 0, 1, 2);

        assertThat(story.cases(AnomalyKind.CONSUMER_SKIP))
                .containsExactly("key 0, op 9, offset 1, process 1, skipped 1");
        assertThat(story.verdict().badKinds()).containsExactly("consumer-skip");
    }

    @Test
    void shouldAllowAConsumerToBeginAnywhereElseAndToPassHoles() {
        Story story = new Story()
                .sent(0, 0, 1, 0)
                .sent(0, 0, 2, 10)
                .sent(0, 0, 3, 20)
                .polled(3, 0, 0, 1, 10, 2)
                .assigned(1, Start.KEPT, 0)
                .polled(1, 0, 10, 2)
                .polled(1, 0, 20, 3);

        assertThat(story.verdict().found()).isEmpty();
    }

    // I16. Fails if: a rewind that was asked for is one that was not, or the other way round.
    @Test
    void shouldSeeARewindThatNobodyAskedFor() {
        Story asked = new Story()
                .sent(0, 0, 1, 0)
                .assigned(1, Start.BEGINNING, 0)
                .polled(1, 0, 0, 1)
                .assigned(1, Start.BEGINNING, 0)
                .polled(1, 0, 0, 1);
        Story notAsked = new Story()
                .sent(0, 0, 1, 0)
                .assigned(1, Start.BEGINNING, 0)
                .polled(1, 0, 0, 1)
                .assigned(1, Start.KEPT, 0)
                .polled(1, 0, 0, 1);

        assertThat(asked.cases(AnomalyKind.CONSUMER_REWIND)).isEmpty();
        assertThat(notAsked.cases(AnomalyKind.CONSUMER_REWIND))
                .containsExactly("key 0, op 9, process 1, offsets 0 0");
    }

    @Test
    void shouldNotCountOnPositionsAcrossARebalance() {
        Story story = new Story()
                .sent(0, 0, 1, 0)
                .sent(0, 0, 2, 1)
                .polled(1, 0, 0, 1, 1, 2)
                .polledInRebalance(1, 0, 0, 1)
                .polled(1, 0, 1, 2);

        assertThat(story.cases(AnomalyKind.CONSUMER_REWIND)).isEmpty();
        assertThat(story.cases(AnomalyKind.CONSUMER_SKIP)).isEmpty();
    }

    // Fails if: the order is told by offsets, which here are made to look right.
    @Test
    void shouldSeeTwoConsumersInTwoOrders() {
        Story story = new Story()
                .sentSomewhere(0, 0, 1)
                .sentSomewhere(3, 0, 2)
                .polled(1, 0, 0, 1, 1, 2)
                .polled(2, 0, 0, 2, 1, 1);

        assertThat(story.cases(AnomalyKind.ORDER_DIFFERS)).containsExactly("key 0, values 1 2");
    }

    @Test
    void shouldAllowOneConsumerToSeeLess() {
        Story story = new Story()
                .sent(0, 0, 1, 0)
                .sent(0, 0, 2, 1)
                .sent(0, 0, 3, 2)
                .polled(1, 0, 0, 1, 1, 2, 2, 3)
                .polled(2, 0, 1, 2)
                .polled(2, 0, 2, 3);

        assertThat(story.verdict().found()).isEmpty();
    }

    // I14. Fails if: what a consumer is told of a cut is not looked at, or two reads of one offset are not compared.
    @Test
    void shouldSeeATruncationThatAConsumerSaw() {
        Story told = new Story().sent(0, 0, 1, 0).polled(1, 0, 0, 1).toldOfTruncation(1, 0, 0);
        Story seen = new Story()
                .sendUnknown(0, 0, 1)
                .sendUnknown(1, 0, 2)
                .polled(2, 0, 0, 1)
                .polled(3, 0, 0, 2);

        assertThat(told.cases(AnomalyKind.TRUNCATION_SEEN)).containsExactly("key 0, op 5, offset 0");
        assertThat(told.verdict().badKinds()).containsExactly("truncation-seen");
        assertThat(seen.cases(AnomalyKind.TRUNCATION_SEEN))
                .containsExactly("key 0, ops 5 7, offset 0, values 1 2");
    }

    @Test
    void shouldNotTakeAnAcknowledgementForARead() {
        // given: two acknowledgements of one offset, but one read
        Story story = new Story().sent(0, 0, 1, 0).sent(1, 0, 2, 0).polled(2, 0, 0, 1);

        assertThat(story.cases(AnomalyKind.TRUNCATION_SEEN)).isEmpty();
        assertThat(story.verdict().badKinds()).contains("inconsistent-offsets");
    }

    @Test
    void shouldSeeThatNothingWasPossible() {
        Story failed = new Story().sendFailed(0, 0, 1).polls(1, Phase.OK);

        assertThat(failed.cases(AnomalyKind.NEVER_SUCCEEDED)).containsExactly("tried 1, f send");
        assertThat(failed.sent(0, 0, 2, 0).polled(1, 0, 0, 2).verdict().found()).isEmpty();
    }

    // Fails if: a history without its end is believed.
    @Test
    void shouldNotBelieveAHistoryThatWasCut() {
        Story story = new Story()
                .event(Phase.INFO, HistoryEvent.NEMESIS, Note.about("kill", List.of("n1")));
        assertThat(story.verdict().found()).isEmpty();

        story.event(Phase.INFO, HistoryEvent.NEMESIS, Note.about(HistoryRecorder.FULL, List.of()));
        assertThat(story.cases(AnomalyKind.HISTORY_CUT)).containsExactly("events 2");
        assertThat(story.verdict().isValid()).isFalse();
    }

    @Test
    void shouldSeeAValueThatNobodySent() {
        Story story = new Story().sent(0, 0, 1, 0).polled(1, 0, 0, 1, 1, 9).polled(2, 0, 1, 9);

        assertThat(story.cases(AnomalyKind.UNKNOWN_VALUE)).containsExactly("key 0, value 9, offset 1, op 3");
    }

    @Test
    void shouldTakeASendWithoutAnEndForUnknown() {
        Story story = new Story()
                .event(Phase.INVOKE, 0, Transfer.of(Function.SEND, List.of(Send.of(0, 1))))
                .event(Phase.INVOKE, 1, Transfer.of(Function.POLL, List.of(new Asked())))
                .polled(2, 0, 0, 1);

        assertThat(story.cases(AnomalyKind.UNKNOWN_VALUE)).isEmpty();
        assertThat(story.cases(AnomalyKind.G1A)).isEmpty();
    }

    // Fails if: one of our own kinds cries wolf over a history that is as it should be.
    @Test
    void shouldFindInCleanHistoriesOnlyWhatIsThere() throws IOException {
        Map<String, List<String>> found = new TreeMap<>();
        for (String name : Histories.names()) {
            if (name.contains("-clean-")) {
                List<String> bad = Checker.check(Histories.load(name), CheckOptions.STRICT).badKinds();
                if (!bad.isEmpty()) {
                    found.put(name, bad);
                }
            }
        }

        // then: the only transaction of one ended unknown; and what an assignment lets the other checker forget is a
        // producer's reordering all the same
        assertThat(found)
                .isEqualTo(Map.of(
                        "12-clean-info-unproved", List.of("never-succeeded"),
                        "14-clean-resend-after-reassign", List.of("producer-reorder")));
    }
}
