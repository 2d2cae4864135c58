package io.tidemark.checker;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.history.Action.Via;
import io.tidemark.history.Phase;
import io.tidemark.history.SendMode;
import io.tidemark.history.SendMode.Acks;
import io.tidemark.history.SendMode.Idempotence;
import io.tidemark.history.Step.Send;
import org.junit.jupiter.api.Test;

/** The same facts break a promise or do not, by what the producer was promised (REQUIREMENTS section 3, I13). */
final class PromisesTest {
    private static final SendMode LEADER_ONLY = new SendMode(Acks.LEADER, Idempotence.ON);
    private static final SendMode PLAIN = new SendMode(Acks.ALL, Idempotence.OFF);

    private static Story duplicate(SendMode mode) {
        return new Story().under(mode).sent(0, 0, 1, 0).sent(0, 0, 2, 3).polled(1, 0, 0, 1, 1, 2, 2, 1, 3, 2);
    }

    // Fails if: duplicates of a producer without idempotence count, or those of one with it do not.
    @Test
    void shouldCountDuplicatesOfIdempotentProducersOnly() {
        assertThat(duplicate(SendMode.STRICT).verdict().badKinds()).contains("duplicate", "int-nonmonotonic-poll");
        assertThat(duplicate(PLAIN).verdict().isValid()).isTrue();
        assertThat(duplicate(PLAIN).verdict().reportedKinds()).contains("duplicate", "int-nonmonotonic-poll");
    }

    // Fails if: plain duplicates excuse what has nothing to do with them.
    @Test
    void shouldNotExcuseASkipBesideADuplicate() {
        Story story = duplicate(PLAIN)
                .sent(0, 0, 3, 4)
                .sent(0, 0, 4, 5)
                .sent(0, 0, 5, 6)
                .polled(1, 0, 4, 3)
                .polled(1, 0, 6, 5)
                .polled(2, 0, 5, 4);

        assertThat(story.verdict().badKinds()).containsExactly("consumer-skip", "poll-skip");
    }

    private static Story overwritten(SendMode mode) {
        return new Story()
                .under(mode)
                .sent(0, 0, 1, 0)
                .sent(0, 0, 2, 1)
                .under(SendMode.STRICT)
                .sent(1, 0, 3, 1)
                .polled(2, 0, 0, 1, 1, 3);
    }

    // Fails if: a loss is excused that was promised not to be, or the other way round.
    @Test
    void shouldNotCountTheLossOfWhatALeaderAloneAcknowledged() {
        assertThat(overwritten(SendMode.STRICT).verdict().badKinds())
                .containsExactly("inconsistent-offsets", "lost-write", "unseen");
        assertThat(overwritten(LEADER_ONLY).verdict().isValid()).isTrue();
        assertThat(overwritten(LEADER_ONLY).verdict().reportedKinds())
                .containsExactly("inconsistent-offsets", "lost-write", "unseen");
    }

    @Test
    void shouldCountWhatALeaderAloneAcknowledgedOnceItWasRead() {
        // given: both values of the offset were read
        Story story = overwritten(LEADER_ONLY).polled(3, 0, 0, 1, 1, 2);

        assertThat(story.verdict().badKinds()).containsExactly("inconsistent-offsets", "truncation-seen");
    }

    // Fails if: unseen values of both promises stand in one case.
    @Test
    void shouldTellUnseenValuesApartByPromise() {
        Story story = new Story().sent(0, 0, 1, 0).under(LEADER_ONLY).sent(1, 0, 2, 1).polls(2, Phase.OK);

        assertThat(story.cases(AnomalyKind.UNSEEN))
                .containsExactly("key 0, values 1", "key 0, values 2 (reported)");
    }

    @Test
    void shouldNotCountOutOfOrderSendsOfPlainProducers() {
        Story strict = new Story().sent(0, 0, 1, 5).sent(0, 0, 2, 4).polled(1, 0, 4, 2, 5, 1);
        Story plain = new Story().under(PLAIN).sent(0, 0, 1, 5).sent(0, 0, 2, 4).polled(1, 0, 4, 2, 5, 1);

        assertThat(strict.verdict().badKinds()).containsExactly("nonmonotonic-send", "producer-reorder");
        assertThat(plain.verdict().reportedKinds()).containsExactly("nonmonotonic-send", "producer-reorder");
        assertThat(plain.verdict().isValid()).isTrue();
    }

    @Test
    void shouldAllowASkipOverWhatALeaderAloneAcknowledged() {
        // given: offset 1 was given away and cut off, and nothing took its place
        Story story = new Story()
                .under(LEADER_ONLY)
                .sent(0, 0, 1, 0)
                .sent(0, 0, 2, 1)
                .sent(0, 0, 3, 2)
                .polled(1, 0, 0, 1)
                .polled(1, 0, 2, 3);

        assertThat(story.verdict().isValid()).isTrue();
        assertThat(story.verdict().reportedKinds()).containsExactly("lost-write", "poll-skip", "unseen");
    }

    @Test
    void shouldNotJudgeSkipsWhereCompactionTakesRecords() {
        Story story = new Story()
                .sends(0, Phase.OK, new Send(0, 1, 0, 7), new Send(0, 2, 1, 8), new Send(0, 3, 2, 8))
                .polled(1, 0, 0, 1, 2, 3);

        assertThat(story.verdict().found()).isEmpty();
    }

    @Test
    void shouldAllowGroupsToJump() {
        Story story = new Story()
                .sent(0, 0, 1, 0)
                .sent(0, 0, 2, 1)
                .sent(0, 0, 3, 2)
                .polled(3, 0, 0, 1, 1, 2, 2, 3)
                .polled(1, 0, 0, 1)
                .polled(1, 0, 2, 3)
                .polled(1, 0, 0, 1);

        assertThat(story.verdict().badKinds())
                .containsExactly("consumer-rewind", "consumer-skip", "nonmonotonic-poll", "poll-skip");
        assertThat(story.verdict(CheckOptions.STRICT.with(Via.SUBSCRIBE)).badKinds()).isEmpty();
    }
}
