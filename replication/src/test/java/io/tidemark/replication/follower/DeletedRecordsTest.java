package io.tidemark.replication.follower;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.model.Acks;
import io.tidemark.model.ErrorCode;
import io.tidemark.model.TopicPartition;
import io.tidemark.replication.deletion.DeleteRecords;
import io.tidemark.replication.fetch.TestLogs;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Deleting records with a real follower. */
final class DeletedRecordsTest {
    private static final TopicPartition P0 = new TopicPartition("t", 0);
    private static final int X = 1;
    private static final int Y = 2;

    private final TestCluster cluster = new TestCluster(FollowerFlush.NONE);
    private final List<DeleteRecords.Result> results = new ArrayList<>();

    @AfterEach
    void shouldHaveFailedNowhere() {
        cluster.assertNothingFailed();
    }

    @Test
    void shouldBeDoneOnceTheFollowerHasFollowed() {
        // given
        start();
        cluster.elect(P0, X, X, Y);
        writeTens(3);

        // when
        delete(17);
        cluster.advance(Duration.ofMillis(1_200));

        // then
        assertThat(results).extracting(DeleteRecords.Result::error).containsExactly(ErrorCode.NONE);
        assertThat(cluster.log(X, P0).startOffset()).isEqualTo(17);
        assertThat(cluster.log(Y, P0).startOffset()).isEqualTo(17);
    }

    /** KAFKA-6975: the follower was away, and what it lacks is gone when it comes back. */
    @Test
    void shouldBeDoneWhenAFollowerThatLacksWhatIsGoneStartsAgain() {
        // given
        // Fails if: a follower that starts again at the leader's log start does not report it
        start();
        cluster.elect(P0, X, X, Y);
        cluster.kill(Y);
        cluster.elect(P0, X, X);
        writeTens(20);

        // when
        delete(117);
        cluster.settle();
        assertThat(results).isEmpty();
        cluster.start(Y);
        cluster.advance(Duration.ofMillis(1_200));

        // then
        assertThat(results).extracting(DeleteRecords.Result::logStartOffset).containsExactly(117L);
        assertThat(cluster.log(Y, P0).startOffset()).isEqualTo(117);
        assertThat(cluster.log(Y, P0).end().offset()).isEqualTo(200);
    }

    private void start() {
        cluster.start(X);
        cluster.start(Y);
        cluster.create(P0, X, Y);
    }

    private void writeTens(int batches) {
        for (int i = 0; i < batches; i++) {
            cluster.broker(X)
                    .produce(Acks.LEADER, 0, P0, TestLogs.batch("0", "1", "2", "3", "4", "5", "6", "7", "8", "9"));
        }
        cluster.advance(Duration.ofMillis(600));
    }

    private void delete(long before) {
        cluster.broker(X).live().are(new TreeSet<>(List.of(X, Y)));
        cluster.broker(X).deleteHandler().delete(new DeleteRecords.Request(P0, before, 60_000), results::add);
        cluster.settle();
    }
}
