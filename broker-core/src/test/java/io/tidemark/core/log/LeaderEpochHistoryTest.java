package io.tidemark.core.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.log.LeaderEpochs.EpochEnd;
import io.tidemark.core.log.LeaderEpochs.EpochStart;
import java.util.List;
import org.junit.jupiter.api.Test;

final class LeaderEpochHistoryTest {
    private static LeaderEpochHistory history(long... epochsAndStarts) {
        LeaderEpochHistory history = LeaderEpochHistory.EMPTY;
        for (int i = 0; i < epochsAndStarts.length; i += 2) {
            history = history.assign((int) epochsAndStarts[i], epochsAndStarts[i + 1]);
        }
        return history;
    }

    @Test
    void shouldAnswerTheLargestEpochAtOrBelowTheAskedOneWithItsEnd() {
        // given: KAFKA-7415
        LeaderEpochHistory history = history(0, 0, 5, 2, 8, 4);

        // when / then
        assertThat(history.endOf(8, 9)).contains(new EpochEnd(8, 9));
        assertThat(history.endOf(11, 9)).contains(new EpochEnd(8, 9));
        assertThat(history.endOf(7, 9)).contains(new EpochEnd(5, 4));
        assertThat(history.endOf(6, 9)).contains(new EpochEnd(5, 4));
        assertThat(history.endOf(5, 9)).contains(new EpochEnd(5, 4));
        assertThat(history.endOf(0, 9)).contains(new EpochEnd(0, 2));
    }

    @Test
    void shouldAnswerTheStartOfTheOldestForAnEpochBelowIt() {
        // KAFKA-7415
        assertThat(history(5, 10).endOf(4, 20)).contains(new EpochEnd(4, 10));
    }

    @Test
    void shouldKnowNothingOfNegativeEpochsOrWithoutEntries() {
        assertThat(history(5, 10).endOf(-1, 20)).isEmpty();
        assertThat(LeaderEpochHistory.EMPTY.endOf(3, 20)).isEmpty();
        assertThat(LeaderEpochHistory.EMPTY.latest()).isEqualTo(-1);
    }

    @Test
    void shouldEvictWhatConflictsWithANewEntry() {
        assertThat(history(1, 0, 3, 10).assign(2, 20)).isEqualTo(history(1, 0, 2, 20));
        assertThat(history(1, 0, 3, 10).assign(4, 10)).isEqualTo(history(1, 0, 4, 10));
        assertThat(history(1, 0, 3, 10).assign(4, 5)).isEqualTo(history(1, 0, 4, 5));
        assertThat(history(1, 0, 3, 10).assign(0, 0)).isEqualTo(history(0, 0));
    }

    @Test
    void shouldKeepTheStartOfTheLatestEpoch() {
        LeaderEpochHistory history = history(1, 0, 3, 10);
        assertThat(history.assign(3, 15)).isSameAs(history);
        assertThat(history.assign(3, 10)).isSameAs(history);
        assertThat(history.assign(3, 5)).isEqualTo(history(1, 0, 3, 5));
    }

    @Test
    void shouldForgetEpochsBehindTheEnd() {
        LeaderEpochHistory history = history(1, 0, 3, 10, 4, 20);
        assertThat(history.truncatedFromEnd(21)).isSameAs(history);
        assertThat(history.truncatedFromEnd(20)).isEqualTo(history(1, 0, 3, 10));
        assertThat(history.truncatedFromEnd(5)).isEqualTo(history(1, 0));
        assertThat(history.truncatedFromEnd(0)).isEqualTo(LeaderEpochHistory.EMPTY);
    }

    @Test
    void shouldMoveTheOldestEpochToTheStart() {
        LeaderEpochHistory history = history(1, 0, 3, 10, 4, 20);
        assertThat(history.truncatedFromStart(0)).isSameAs(history);
        assertThat(history.truncatedFromStart(5).entries())
                .containsExactly(new EpochStart(1, 5), new EpochStart(3, 10), new EpochStart(4, 20));
        assertThat(history.truncatedFromStart(10)).isEqualTo(history(3, 10, 4, 20));
        assertThat(history.truncatedFromStart(25)).isEqualTo(history(4, 25));
    }

    @Test
    void shouldNameTheEpochOfAnOffset() {
        LeaderEpochHistory history = LeaderEpochHistory.of(List.of(new EpochStart(1, 5), new EpochStart(3, 10)));
        assertThat(history.epochAt(4)).isEqualTo(LeaderEpochHistory.NO_EPOCH);
        assertThat(history.epochAt(5)).isEqualTo(1);
        assertThat(history.epochAt(9)).isEqualTo(1);
        assertThat(history.epochAt(10)).isEqualTo(3);
    }

    // I3: a leader of epoch 5 wrote nothing; records of epoch 4, copied from another, come behind what it had of them
    // Fails if: assign drops the entry of the epoch that goes on
    @Test
    void shouldKeepWhereAnEpochStartsThatGoesOnBehindAnEmptyOne() {
        // given
        LeaderEpochHistory history =
                LeaderEpochHistory.EMPTY.assign(3, 0).assign(4, 50).assign(5, 100);

        // when
        LeaderEpochHistory changed = history.assign(4, 100);

        // then
        assertThat(changed).isEqualTo(LeaderEpochHistory.EMPTY.assign(3, 0).assign(4, 50));
        assertThat(changed.epochAt(60)).isEqualTo(4);
        assertThat(changed.epochAt(49)).isEqualTo(3);
    }
}
