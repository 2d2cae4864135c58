package io.tidemark.replication.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.testkit.SeededRandomness;
import io.tidemark.model.ErrorCode;
import io.tidemark.model.TopicId;
import io.tidemark.model.TopicPartition;
import io.tidemark.replication.fetch.FetchSessions.Admission;
import io.tidemark.replication.partition.Follower;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The session contract (KIP-227's, with one fetcher for each session). */
final class FetchSessionsTest {
    private static final TopicPartition P0 = new TopicPartition("t", 0);
    private static final TopicPartition P1 = new TopicPartition("t", 1);
    private static final TopicPartition P2 = new TopicPartition("t", 2);
    private static final Follower B = new Follower(2, 20);
    private static final Follower B_LATER = new Follower(2, 21);
    private static final Follower C = new Follower(3, 30);

    private final FetchSessions sessions =
            new FetchSessions(new FetchSettings(1_000, 5, 3, Duration.ZERO), new SeededRandomness(3));

    @Test
    void shouldOpenASessionWithAnIdOfItsOwn() {
        // when
        FetchSession first = open(B, P0);
        FetchSession second = open(C, P0);

        // then
        assertThat(first.id()).isPositive();
        assertThat(second.id()).isPositive().isNotEqualTo(first.id());
        assertThat(sessions.holding(P0)).containsExactly(first, second);
        assertThat(sessions.holding(P1)).isEmpty();
    }

    @Test
    void shouldAdmitOnlyTheNextEpoch() {
        // given
        FetchSession session = open(B, P0);
        session.finish();

        for (int epoch = 1; epoch < 4; epoch++) {
            for (int wrong : new int[] {epoch - 1, epoch + 1, -1, Integer.MAX_VALUE}) {
                // when, then
                assertThat(sessions.admit(request(B, session.id(), wrong)).error())
                        .isEqualTo(ErrorCode.INVALID_FETCH_SESSION_EPOCH);
            }
            assertThat(sessions.admit(request(B, session.id(), epoch)).session())
                    .isSameAs(session);
            session.finish();
        }
    }

    @Test
    void shouldAdmitOneRequestAtATime() {
        // given
        FetchSession session = open(B, P0);

        // when, then
        assertThat(sessions.admit(request(B, session.id(), 1)).error())
                .isEqualTo(ErrorCode.INVALID_FETCH_SESSION_EPOCH);
        session.finish();
        assertThat(sessions.admit(request(B, session.id(), 1)).error()).isEqualTo(ErrorCode.NONE);
    }

    @Test
    void shouldKnowItsSessionsAndWhoseTheyAre() {
        // given
        FetchSession session = open(B, P0);
        session.finish();

        // when, then
        assertThat(sessions.admit(request(B, session.id() + 1, 1)).error())
                .isEqualTo(ErrorCode.FETCH_SESSION_ID_NOT_FOUND);
        assertThat(sessions.admit(request(C, session.id(), 1)).error()).isEqualTo(ErrorCode.FETCH_SESSION_ID_NOT_FOUND);
        assertThat(sessions.admit(request(B_LATER, session.id(), 1)).error())
                .isEqualTo(ErrorCode.FETCH_SESSION_ID_NOT_FOUND);
        assertThat(sessions.admit(request(B, 0, 1)).error()).isEqualTo(ErrorCode.INVALID_FETCH_SESSION_EPOCH);
    }

    /** A fetcher that lost its connection opens a new session: the one it had ends. */
    @Test
    void shouldReplaceTheSessionOfTheSameFetcher() {
        // given
        FetchSession lost = open(B, P0, P1);
        FetchSession otherFetcher = open(B, P2);
        FetchSession otherBroker = open(C, P0);

        // when
        Admission admission = sessions.admit(request(B, 0, 0, P1));

        // then
        assertThat(admission.ended()).containsExactly(lost);
        assertThat(lost.isClosed()).isTrue();
        assertThat(sessions.holding(P0)).containsExactly(otherBroker);
        assertThat(sessions.holding(P1)).containsExactly(admission.session());
        assertThat(sessions.holding(P2)).containsExactly(otherFetcher);
    }

    @Test
    void shouldEndTheSessionsOfAnEarlierLifeAndRefuseThatLife() {
        // given
        FetchSession before = open(B, P0);

        // when
        Admission admission = sessions.admit(request(B_LATER, 0, 0, P1));
        Admission late = sessions.admit(request(B, 0, 0, P0));

        // then
        assertThat(admission.ended()).containsExactly(before);
        assertThat(late.session()).isNull();
        assertThat(late.error()).isEqualTo(ErrorCode.STALE_BROKER_EPOCH);
        assertThat(sessions.size()).isEqualTo(1);
    }

    @Test
    void shouldMakeRoomForAFollowersNewSessionAmongItsOwn() {
        // given
        FetchSession first = open(B, partition(0));
        first.finish();
        FetchSession second = open(B, partition(1));
        open(B, partition(2));
        FetchSession other = open(C, partition(9));
        sessions.admit(request(B, first.id(), 1));

        // when
        Admission admission = sessions.admit(request(B, 0, 0, partition(3)));

        // then
        assertThat(admission.ended()).as("silent for longest").containsExactly(second);
        assertThat(other.isClosed()).isFalse();
    }

    @Test
    void shouldBoundAllSessions() {
        // given
        FetchSession first = open(new Follower(10, 1), P0);
        for (int broker = 11; broker < 40; broker++) {
            open(new Follower(broker, 1), P0);
        }

        // then
        assertThat(sessions.size()).isEqualTo(5);
        assertThat(first.isClosed()).isTrue();
        assertThat(sessions.holding(P0)).hasSize(5);
    }

    @Test
    void shouldMergeWhatChangedAndDropWhatIsForgotten() {
        // given
        FetchSession session = open(B, P0, P1);
        session.finish();

        // when
        ReplicaFetch.Request request =
                new ReplicaFetch.Request(B, session.id(), 1, 0, 1, 100, List.of(entry(P2, 7)), List.of(P0, P2));
        sessions.admit(request);

        // then
        assertThat(session.partitions()).containsExactly(P1, P2);
        assertThat(sessions.holding(P0)).isEmpty();
        assertThat(sessions.holding(P2)).containsExactly(session);
        assertThat(sessions.heldPartitions()).isEqualTo(2);
    }

    /** A broken-off connection leaves nothing behind. */
    @Test
    void shouldLeaveNothingBehindWhenSessionsEnd() {
        // given
        FetchSession session = open(B, P0, P1);

        // when
        sessions.end(session);
        sessions.end(session);

        // then
        assertThat(sessions.size()).isZero();
        assertThat(sessions.heldPartitions()).isZero();
        assertThat(session.isReady(Integer.MAX_VALUE))
                .as("whoever waits is answered")
                .isTrue();
    }

    @Test
    void shouldLookAtMarkedPartitionsOnlyOldestFirst() {
        // given
        FetchSession session = open(B, P0, P1, P2);
        session.takeMarked();

        // when
        session.mark(P2);
        session.mark(P0);
        session.mark(P2);
        session.mark(partition(99));

        // then
        assertThat(marked(session)).containsExactly(P2, P0);
        assertThat(marked(session)).isEmpty();
    }

    /** KAFKA-2063: what had no room comes first in the next answer. */
    @Test
    void shouldPutRestoredMarksInFront() {
        // given
        FetchSession session = open(B, P0, P1, P2);
        List<FetchSession.Tracked> taken = session.takeMarked();

        // when
        session.mark(P0);
        session.restoreMarks(taken.subList(1, 3));

        // then
        assertThat(marked(session)).containsExactly(P1, P2, P0);
    }

    @Test
    void shouldNotRestoreTheMarkOfAReplacedEntry() {
        // given
        FetchSession session = open(B, P0);
        List<FetchSession.Tracked> taken = session.takeMarked();

        // when
        session.update(List.of(entry(P0, 50)), List.of());
        session.takeMarked();
        session.restoreMarks(taken);

        // then
        assertThat(marked(session)).isEmpty();
    }

    @Test
    void shouldTellOnlyARequestUnderWayThatItWasMarked() {
        // given
        FetchSession session = open(B, P0);

        // when, then
        assertThat(session.mark(P0)).isTrue();
        session.finish();
        assertThat(session.mark(P0)).isFalse();
    }

    @Test
    void shouldEndTheWaitWhenAPartitionEnds() {
        // given
        FetchSession session = open(B, P0);
        session.takeMarked();
        assertThat(session.isReady(1)).isFalse();

        // when
        session.markUrgent(P1);
        assertThat(session.isReady(1)).as("not of this session").isFalse();
        session.markUrgent(P0);

        // then
        assertThat(session.isReady(1)).isTrue();
        session.takeMarked();
        assertThat(session.isReady(1)).isFalse();
    }

    @Test
    void shouldCollectWakeUps() {
        // given
        FetchSession session = open(B, P0);

        // when, then
        assertThat(session.claimWakeUp()).isTrue();
        assertThat(session.claimWakeUp()).isFalse();
        session.releaseWakeUp();
        assertThat(session.claimWakeUp()).isTrue();
    }

    private FetchSession open(Follower follower, TopicPartition... partitions) {
        FetchSession session =
                sessions.admit(request(follower, 0, 0, partitions)).session();
        assertThat(session).isNotNull();
        return session;
    }

    private static List<TopicPartition> marked(FetchSession session) {
        return session.takeMarked().stream().map(at -> at.entry().partition()).toList();
    }

    private static ReplicaFetch.Request request(
            Follower follower, long sessionId, int sessionEpoch, TopicPartition... partitions) {
        List<FetchEntry> changed =
                Arrays.stream(partitions).map(partition -> entry(partition, 0)).toList();
        return new ReplicaFetch.Request(follower, sessionId, sessionEpoch, 0, 1, 100, changed, List.of());
    }

    private static FetchEntry entry(TopicPartition partition, long fetchOffset) {
        return new FetchEntry(new TopicId(1, 1), partition, 1, fetchOffset, -1, 0, 100);
    }

    private static TopicPartition partition(int number) {
        return new TopicPartition("many", number);
    }
}
