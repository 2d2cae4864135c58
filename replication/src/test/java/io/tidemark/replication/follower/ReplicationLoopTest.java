package io.tidemark.replication.follower;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.log.ReadRequest;
import io.tidemark.core.log.ReadRequest.Minimum;
import io.tidemark.core.log.ReadResult;
import io.tidemark.core.testkit.SeededRandomness;
import io.tidemark.model.Acks;
import io.tidemark.model.ErrorCode;
import io.tidemark.model.TopicPartition;
import io.tidemark.record.RecordBatch;
import io.tidemark.replication.fetch.ReplicaFetch;
import io.tidemark.replication.fetch.TestLogs;
import io.tidemark.replication.produce.Produce;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Leader and follower together: the real partitions, handlers and fetchers over direct channels. */
final class ReplicationLoopTest {
    private static final TopicPartition P0 = new TopicPartition("t", 0);
    private static final TopicPartition P1 = new TopicPartition("t", 1);
    private static final int X = 1;
    private static final int Y = 2;
    private static final Duration WHILE = Duration.ofMillis(1_200);
    /** After this a replica that is away is no longer waited for as one that is about to join (scenario 33). */
    private static final Duration BEYOND_LAG = Duration.ofSeconds(61);

    private final TestCluster cluster = new TestCluster(FollowerFlush.NONE);

    @AfterEach
    void shouldHaveFailedNowhere() {
        cluster.assertNothingFailed();
    }

    @Test
    void shouldAcknowledgeOnceTheFollowerHasIt() {
        // given
        startXAndY();
        cluster.elect(P0, X, X, Y);

        // when
        List<List<Produce.Result>> answers = cluster.broker(X).produce(Acks.ALL, 10_000, P0, TestLogs.batch("a", "b"));
        assertThat(answers).isEmpty();
        cluster.settle();

        // then
        assertThat(error(answers)).isEqualTo(ErrorCode.NONE);
        assertThat(cluster.batches(Y, P0)).isEqualTo(cluster.batches(X, P0)).hasSize(1);
    }

    /** The follower hears of the high watermark with the next answer, at the latest after its longest wait. */
    @Test
    void shouldBringTheHighWatermarkToTheFollower() {
        // scenario 39. Fails if: FetchSession.isNews looks at the log start alone
        // given
        startXAndY();
        cluster.elect(P0, X, X, Y);
        write(X, 3);

        // when
        cluster.advance(Duration.ofMillis(600));

        // then
        assertThat(cluster.broker(X).partition(P0).view().highWatermark()).isEqualTo(3);
        assertThat(cluster.broker(Y).partition(P0).view().highWatermark()).isEqualTo(3);
        assertThat(cluster.metrics(Y).maxLagRecords()).isZero();
    }

    @Test
    void shouldCatchUpAndJoinTheInSyncSet() {
        // given
        startXAndY();
        cluster.elect(P0, X, X);
        cluster.kill(Y);
        write(X, 50);

        // when
        cluster.start(Y);
        cluster.advance(WHILE);

        // then
        assertThat(cluster.batches(Y, P0)).isEqualTo(cluster.batches(X, P0)).hasSize(50);
        assertThat(cluster.state(P0).isrIds()).containsExactly(X, Y);
    }

    /** An append by an earlier fetcher that ran into the new one's time must not stop the replica for good. */
    @Test
    void shouldCatchUpThoughItsLogGrewBehindTheFetchersBack() {
        // given two records on their way to the fetcher
        startXAndY();
        cluster.elect(P0, X, X);
        cluster.advance(WHILE);
        cluster.broker(X).produce(Acks.LEADER, 10_000, P0, TestLogs.batch("a", "b"));
        ReadResult.Data sent = (ReadResult.Data)
                cluster.log(X, P0).read(new ReadRequest(0, 1 << 16, ReadRequest.TO_END, Minimum.ONE_BATCH));

        // when somebody else appends them first
        int leaderEpoch = cluster.state(P0).leaderEpoch();
        cluster.broker(Y)
                .partition(P0)
                .appendAsFollower(leaderEpoch, new ReplicaFetch.Result(P0, ErrorCode.NONE, 0, 0, sent.batches(), null));
        cluster.settle();
        write(X, 3);
        cluster.advance(WHILE);

        // then
        assertThat(cluster.batches(Y, P0)).isEqualTo(cluster.batches(X, P0)).hasSize(4);
    }

    /** Walk (c), scenario 42: what the old leader alone had is cut, what was acknowledged stays. */
    @Test
    void shouldCutWhatTheOldLeaderHadAlone() {
        // Fails if: Fencing.divergence finds none
        // given
        startXAndY();
        cluster.elect(P0, X, X, Y);
        List<List<Produce.Result>> acknowledged =
                cluster.broker(X).produce(Acks.ALL, 10_000, P0, TestLogs.batch("kept"));
        cluster.settle();
        assertThat(error(acknowledged)).isEqualTo(ErrorCode.NONE);
        List<String> committed = cluster.batches(Y, P0);
        cluster.kill(Y);
        cluster.broker(X).produce(Acks.LEADER, 0, P0, TestLogs.batch("alone"));
        cluster.broker(X).produce(Acks.LEADER, 0, P0, TestLogs.batch("alone too"));
        cluster.kill(X);

        // when
        cluster.start(Y);
        cluster.elect(P0, Y, Y);
        write(Y, 1);
        cluster.start(X);
        cluster.advance(WHILE);

        // then
        assertThat(cluster.batches(X, P0))
                .isEqualTo(cluster.batches(Y, P0))
                .hasSize(2)
                .containsAll(committed);
        assertThat(cluster.broker(X).partition(P0).belowHighWatermarkCuts()).isZero();
    }

    /** Scenario 42: the leader lost half of its file in a crash, leads again by an unclean election and writes on. */
    @Test
    void shouldEndAlikeAfterTheLeaderLostHalfOfItsFile() {
        // given
        // Fails if: Fencing.divergence compares epochs and not their ends
        startXAndY();
        cluster.elect(P0, X, X, Y);
        write(X, 5);
        cluster.advance(WHILE);
        assertThat(cluster.batches(Y, P0)).hasSize(5);
        cluster.kill(Y);
        cluster.kill(X);
        cluster.loseHalf(X, P0);

        // when
        cluster.start(X);
        int left = (int) cluster.log(X, P0).end().offset();
        cluster.elect(P0, X, X);
        write(X, 1);
        cluster.start(Y);
        cluster.advance(WHILE);

        // then
        assertThat(left).isBetween(1, 4);
        assertThat(cluster.batches(Y, P0)).isEqualTo(cluster.batches(X, P0)).hasSize(left + 1);
        assertThat(TestLogs.batches(cluster.log(Y, P0)))
                .extracting(RecordBatch::baseOffset)
                .isSorted();
    }

    /** KAFKA-6361, I3: several rounds of unclean elections, then the histories are walked back until they meet. */
    @Test
    void shouldConvergeAfterFastUncleanFailovers() {
        // Fails if: TruncationRule.onDiverging goes by the leader's end alone
        // given
        startXAndY();
        cluster.elect(P0, X, X, Y);
        write(X, 1);
        cluster.advance(WHILE);

        // when
        cluster.kill(X);
        cluster.elect(P0, Y, Y);
        write(Y, 1);
        cluster.kill(Y);
        cluster.start(X);
        cluster.elect(P0, X, X);
        write(X, 3);
        cluster.kill(X);
        cluster.start(Y);
        cluster.elect(P0, Y, Y);
        write(Y, 1);
        cluster.kill(Y);
        cluster.start(X);
        cluster.elect(P0, X, X);
        write(X, 2);
        cluster.start(Y);
        cluster.advance(WHILE);

        // then
        assertThat(cluster.batches(Y, P0)).isEqualTo(cluster.batches(X, P0)).hasSize(6);
        assertThat(cluster.state(P0).isrIds()).containsExactly(X, Y);
    }

    /** Scenario 43: leadership goes to and fro; both logs hold every acknowledged record once. */
    @Test
    void shouldKeepEverythingThroughFiveLeaderChanges() {
        // Fails if: FetcherPool.follow does not take a partition over from another leader's fetcher
        // given
        startXAndY();
        cluster.elect(P0, X, X, Y);
        int acknowledged = 0;

        for (int round = 0; round < 5; round++) {
            // when
            int leader = cluster.state(P0).leader();
            for (int i = 0; i < 4; i++) {
                List<List<Produce.Result>> answers =
                        cluster.broker(leader).produce(Acks.ALL, 10_000, P0, TestLogs.batch("r" + round + "i" + i));
                cluster.settle();
                acknowledged += error(answers) == ErrorCode.NONE ? 1 : 0;
            }
            cluster.kill(leader);
            int next = leader == X ? Y : X;
            cluster.elect(P0, next, next);
            cluster.start(leader);
            cluster.advance(WHILE);
        }

        // then
        assertThat(acknowledged).isEqualTo(20);
        assertThat(cluster.batches(X, P0)).isEqualTo(cluster.batches(Y, P0)).hasSize(20);
        assertThat(cluster.log(X, P0).end().offset()).isEqualTo(20);
    }

    /** KAFKA-2063: a batch beyond every limit of the fetch comes whole, and the log behind it too. */
    @Test
    void shouldPassABatchThatIsLargerThanTheLimits() {
        // given
        startXAndY();
        cluster.elect(P0, X, X);
        for (int sizeBytes : new int[] {100, 300_000, 100}) {
            cluster.broker(X).produce(Acks.LEADER, 0, P0, TestLogs.batch("v".repeat(sizeBytes)));
        }

        // when
        cluster.advance(WHILE);

        // then
        assertThat(cluster.batches(Y, P0)).isEqualTo(cluster.batches(X, P0)).hasSize(3);
    }

    /** KAFKA-6975: the leader's log starts inside a batch, first of a new follower, then beyond the end of an old one. */
    @Test
    void shouldFollowALeaderWhoseLogStartsInsideABatch() {
        // given
        startXAndY();
        cluster.elect(P0, X, X);
        cluster.kill(Y);
        writeTens(10);
        cluster.advance(BEYOND_LAG);
        cluster.checkIsr();
        assertThat(cluster.log(X, P0).advanceStartOffset(3)).isTrue();

        // when
        cluster.start(Y);
        cluster.advance(WHILE);

        // then
        assertThat(cluster.log(Y, P0).startOffset()).isEqualTo(3);
        assertThat(cluster.log(Y, P0).end().offset()).isEqualTo(100);

        // given
        cluster.kill(Y);
        cluster.elect(P0, X, X);
        writeTens(10);
        cluster.advance(BEYOND_LAG);
        cluster.checkIsr();
        assertThat(cluster.log(X, P0).advanceStartOffset(117)).isTrue();

        // when
        cluster.start(Y);
        cluster.advance(WHILE);

        // then
        assertThat(cluster.log(Y, P0).startOffset()).isEqualTo(117);
        assertThat(cluster.log(Y, P0).end().offset()).isEqualTo(200);
        assertThat(cluster.batches(Y, P0)).isEqualTo(cluster.batches(X, P0));
    }

    /** Retention on the leader reaches the follower without a record being written. */
    @Test
    void shouldTakeOverTheLeadersLogStart() {
        // given
        startXAndY();
        cluster.elect(P0, X, X, Y);
        writeTens(2);
        cluster.advance(WHILE);

        // when
        cluster.log(X, P0).advanceStartOffset(10);
        cluster.advance(Duration.ofSeconds(3));

        // then
        assertThat(cluster.log(Y, P0).startOffset()).isEqualTo(10);
    }

    /** Clean elections only: no acknowledged record is ever missing, and the replicas end alike (I1, I2). */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
    void shouldLoseNothingAcknowledgedInARandomRun(long seed) {
        // given
        SeededRandomness random = new SeededRandomness(seed);
        startXAndY();
        cluster.start(3);
        cluster.create(P1, X, Y, 3);
        cluster.elect(P1, X, X, Y, 3);
        Map<String, List<List<Produce.Result>>> produced = new TreeMap<>();

        // when
        for (int step = 0; step < 120; step++) {
            randomStep(random, step, produced);
        }
        List.of(X, Y, 3).stream().filter(id -> !cluster.isUp(id)).forEach(cluster::start);
        electInSync();
        cluster.advance(Duration.ofSeconds(3));

        // then
        List<String> values = values(X, P1);
        produced.forEach((value, answers) -> {
            if (!answers.isEmpty() && error(answers) == ErrorCode.NONE) {
                assertThat(values).as("%s after %s", value, random).contains(value);
            }
        });
        assertThat(cluster.batches(Y, P1)).as(random.toString()).isEqualTo(cluster.batches(X, P1));
        assertThat(cluster.batches(3, P1)).as(random.toString()).isEqualTo(cluster.batches(X, P1));
    }

    private void randomStep(SeededRandomness random, int step, Map<String, List<List<Produce.Result>>> produced) {
        int broker = 1 + random.nextInt(3);
        int leader = cluster.state(P1).leader();
        switch (random.nextInt(8)) {
            case 0 -> {
                if (cluster.isUp(broker) && !isOnlyInSync(broker)) {
                    cluster.kill(broker);
                }
            }
            case 1 -> {
                if (!cluster.isUp(broker)) {
                    cluster.start(broker);
                }
            }
            case 2 -> electInSync();
            case 3 -> cluster.advance(Duration.ofMillis(random.nextInt(300)));
            case 4 -> {
                cluster.advance(Duration.ofSeconds(11));
                cluster.checkIsr();
            }
            default -> {
                if (cluster.isUp(leader)) {
                    String value = "s" + step;
                    produced.put(value, cluster.broker(leader).produce(Acks.ALL, 10_000, P1, TestLogs.batch(value)));
                    if (random.oneIn(2)) {
                        cluster.settle();
                    }
                }
            }
        }
    }

    private boolean isOnlyInSync(int broker) {
        return cluster.state(P1).isrIds().equals(List.of(broker));
    }

    /** A clean election: the first member of the in-sync set that is up, with those members that are. */
    private void electInSync() {
        List<Integer> up =
                cluster.state(P1).isrIds().stream().filter(cluster::isUp).toList();
        if (!up.isEmpty()) {
            cluster.elect(P1, up.get(up.size() - 1), up.toArray(Integer[]::new));
        }
    }

    private void startXAndY() {
        cluster.start(X);
        cluster.start(Y);
        cluster.create(P0, X, Y);
    }

    private void write(int leader, int batches) {
        for (int i = 0; i < batches; i++) {
            String value = "by " + leader + " in " + cluster.state(P0).leaderEpoch() + " nr " + i;
            cluster.broker(leader).produce(Acks.LEADER, 0, P0, TestLogs.batch(value));
        }
        cluster.settle();
    }

    private void writeTens(int batches) {
        for (int i = 0; i < batches; i++) {
            ByteBuffer ten = TestLogs.batch("0", "1", "2", "3", "4", "5", "6", "7", "8", "9");
            cluster.broker(X).produce(Acks.LEADER, 0, P0, ten);
        }
        cluster.settle();
    }

    private static ErrorCode error(List<List<Produce.Result>> answers) {
        assertThat(answers).hasSize(1);
        return answers.get(0).get(0).error();
    }

    private List<String> values(int id, TopicPartition partition) {
        List<String> values = new ArrayList<>();
        for (RecordBatch batch : TestLogs.batches(cluster.log(id, partition))) {
            batch.records().forEach(record -> values.add(text(record.value())));
        }
        return values;
    }

    private static String text(ByteBuffer bytes) {
        return StandardCharsets.UTF_8.decode(bytes.duplicate()).toString();
    }
}
