package io.tidemark.coordination.cluster;

import static io.tidemark.coordination.cluster.ClusterFixture.TOKEN;
import static io.tidemark.coordination.cluster.ClusterFixture.TOPIC_ID;
import static io.tidemark.coordination.cluster.ClusterFixture.all;
import static io.tidemark.coordination.cluster.ClusterFixture.answer;
import static io.tidemark.coordination.cluster.ClusterFixture.members;
import static io.tidemark.coordination.cluster.ClusterFixture.notices;
import static io.tidemark.coordination.cluster.ClusterFixture.writes;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.coordination.cluster.ClusterEvent.DeletionApplied;
import io.tidemark.coordination.cluster.ClusterEvent.TopicConfigsRequested;
import io.tidemark.coordination.cluster.ClusterEvent.TopicConfigsRequested.Effect;
import io.tidemark.coordination.cluster.ClusterEvent.TopicCreationRequested;
import io.tidemark.coordination.cluster.ClusterEvent.TopicDeletionRequested;
import io.tidemark.model.ClusterUpdate.DeletedTopic;
import io.tidemark.model.ErrorCode;
import io.tidemark.model.PartitionState;
import io.tidemark.model.TopicId;
import io.tidemark.model.TopicPartition;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class TopicChangeTest {
    private final ClusterFixture cluster = ClusterFixture.ofBrokers(3);

    @Nested
    final class Creation {
        @Test
        void shouldPutEveryReplicaInSyncAndLetTheFirstLead() {
            // when
            Decision decision = create("t", 2, 3, Map.of("min.insync.replicas", "2"));

            // then
            PartitionState first =
                    cluster.state().partition(new TopicPartition("t", 0)).state();
            assertThat(answer(decision)).isEqualTo(new Answer.TopicCreated(TOPIC_ID));
            assertThat(first.replicas()).containsExactly(1, 2, 3);
            assertThat(first.leader()).isEqualTo(1);
            assertThat(first.isr()).isEqualTo(members("1#1", "2#1", "3#1"));
            assertThat(first.effectiveMinIsr()).isEqualTo(2);
            assertThat(writes(decision, StateWrite.CreateTopic.class)).hasSize(1);
            assertThat(all(decision, Command.PushChanges.class).get(0).partitions())
                    .containsExactly(new TopicPartition("t", 0), new TopicPartition("t", 1));
        }

        @Test
        void shouldUseDefaultsForWhatIsLeftOpen() {
            create("t", 0, 0, Map.of());
            assertThat(cluster.state().topics().get("t").partitions()).hasSize(1);
            assertThat(cluster.state()
                            .partition(new TopicPartition("t", 0))
                            .state()
                            .replicas())
                    .hasSize(1);
        }

        @Test
        void shouldNeverAskForMoreInSyncCopiesThanThereAreReplicas() {
            create("t", 1, 2, Map.of("min.insync.replicas", "5"));
            assertThat(cluster.state()
                            .partition(new TopicPartition("t", 0))
                            .state()
                            .effectiveMinIsr())
                    .isEqualTo(2);
        }

        @ParameterizedTest
        @CsvSource({
            "'', 1, 1, '', INVALID_TOPIC",
            "., 1, 1, '', INVALID_TOPIC",
            ".., 1, 1, '', INVALID_TOPIC",
            "a/b, 1, 1, '', INVALID_TOPIC",
            "tränen, 1, 1, '', INVALID_TOPIC",
            "there, 1, 1, '', TOPIC_ALREADY_EXISTS",
            "t, -1, 1, '', INVALID_PARTITIONS",
            "t, 1001, 1, '', INVALID_PARTITIONS",
            "t, 1, -1, '', INVALID_REPLICATION_FACTOR",
            "t, 1, 4, '', INVALID_REPLICATION_FACTOR",
            "t, 1, 1, no.such.key, INVALID_CONFIG",
            "t, 1, 1, min.insync.replicas, INVALID_CONFIG",
            "t, 1, 1, unclean.leader.election.enable, INVALID_CONFIG",
        })
        void shouldRefuseWithAClearError(String name, int partitions, int factor, String key, ErrorCode error) {
            // given
            create("there", 1, 1, Map.of());

            // when
            Decision decision = create(name, partitions, factor, key.isEmpty() ? Map.of() : Map.of(key, "0"));

            // then
            assertThat(((Answer.Refused) answer(decision)).error()).isEqualTo(error);
            assertThat(((Answer.Refused) answer(decision)).message()).isNotEmpty();
            assertThat(decision.writes()).isEmpty();
        }

        /** A ZooKeeper request above 1 MiB would cost the controller its session, and the next one too. */
        @Test
        void shouldRefuseATopicThatDoesNotFitOneRequest() {
            // given
            String longest = "a".repeat(249);

            // when
            Decision tooMany = create(longest, 1_000, 3, Map.of());

            // then
            assertThat(answer(tooMany)).isInstanceOfSatisfying(Answer.Refused.class, refused -> {
                assertThat(refused.error()).isEqualTo(ErrorCode.INVALID_PARTITIONS);
                assertThat(refused.message()).contains("892 partitions");
            });
            assertThat(tooMany.writes()).isEmpty();
            assertThat(answer(create(longest, 892, 3, Map.of()))).isInstanceOf(Answer.TopicCreated.class);
            assertThat(answer(create("t", 1_000, 3, Map.of()))).isInstanceOf(Answer.TopicCreated.class);
        }

        @Test
        void shouldAcceptTheLongestNameAndNotOneMore() {
            assertThat(TopicChange.isLegalName("a".repeat(249))).isTrue();
            assertThat(TopicChange.isLegalName("a".repeat(250))).isFalse();
            assertThat(TopicChange.isLegalName("A.b_c-9")).isTrue();
            assertThat(TopicChange.isLegalName("a\n")).isFalse();
        }

        @Test
        void shouldWarnOfNamesThatMetricsCannotTellApart() {
            create("a.b", 1, 1, Map.of());
            assertThat(notices(create("a_b", 1, 1, Map.of()))).containsExactly(Notice.Kind.TOPIC_NAMES_ALIKE);
        }

        @Test
        void shouldCountOnlyBrokersThatAreHereToStay() {
            // given
            cluster.vanish(3);
            cluster.on(new ClusterEvent.ControlledShutdownRequested(
                    TOKEN, 2, cluster.node(2).brokerEpoch()));

            // then
            assertThat(((Answer.Refused) answer(create("t", 1, 2, Map.of()))).error())
                    .isEqualTo(ErrorCode.INVALID_REPLICATION_FACTOR);
        }
    }

    @Nested
    final class Deletion {
        @Test
        void shouldTellHoldersAndRemoveTheNodesWhenAllHaveDoneIt() {
            // given
            create("t", 1, 2, Map.of());

            // when
            Decision marked = delete("t", 1);

            // then: the topic is out of sight, its name is not free yet
            assertThat(writes(marked, StateWrite.MarkTopicDeleting.class)).hasSize(1);
            assertThat(all(marked, Command.PushChanges.class))
                    .containsExactly(new Command.PushChanges(List.of(), List.of(new DeletedTopic("t", TOPIC_ID))));
            assertThat(all(marked, Command.Reply.class)).isEmpty();
            assertThat(cluster.state().topics()).isEmpty();
            assertThat(((Answer.Refused) answer(create("t", 1, 1, Map.of()))).error())
                    .isEqualTo(ErrorCode.TOPIC_ALREADY_EXISTS);

            // when
            Decision half = applied(1);
            Decision whole = applied(2);

            // then
            assertThat(half.writes()).isEmpty();
            assertThat(writes(whole, StateWrite.RemoveTopic.class)).hasSize(1);
            assertThat(all(whole, Command.Reply.class)).containsExactly(new Command.Reply(1, new Answer.Done()));
            assertThat(cluster.state().deletions()).isEmpty();
        }

        @Test
        void shouldNotWaitForABrokerThatIsAwayOrGoesAway() {
            // given
            create("t", 1, 3, Map.of());
            cluster.lose(3);
            delete("t", 1);
            applied(1);

            // when
            Decision decision = cluster.lose(2);

            // then
            assertThat(writes(decision, StateWrite.RemoveTopic.class)).hasSize(1);
        }

        @Test
        void shouldIgnoreADeletionCarriedOutByAnEarlierProcess() {
            // given
            create("t", 1, 1, Map.of());
            delete("t", 1);
            long old = cluster.node(1).brokerEpoch();
            cluster.restart(1);

            // then: it is told again with the full state
            assertThat(cluster.on(new DeletionApplied(1, old, TOPIC_ID)).writes())
                    .isEmpty();
            assertThat(ClusterUpdates.full(cluster.state(), 1).deletedTopics())
                    .containsExactly(new DeletedTopic("t", TOPIC_ID));
            assertThat(applied(1).writes()).hasSize(1);
        }

        @Test
        void shouldBeResumedByTheNextControllerScenario48() {
            // given
            create("t", 1, 2, Map.of());
            delete("t", 1);

            // when
            cluster.newController();
            cluster.brokersChanged();

            // then
            assertThat(cluster.state().deletions().get("t").pending()).containsExactly(1, 2);
            applied(1);
            assertThat(writes(applied(2), StateWrite.RemoveTopic.class)).hasSize(1);
        }

        @Test
        void shouldGiveTheSameNameANewIdentityAfterwards() {
            // given
            create("t", 1, 1, Map.of());
            delete("t", 1);
            applied(1);

            // when
            TopicId second = new TopicId(8, 8);
            cluster.on(new TopicCreationRequested(TOKEN, spec("t", 1, 1, Map.of()), second, 0));

            // then: what is said of the first does not touch the second
            assertThat(applied(1).writes()).isEmpty();
            assertThat(cluster.state().topics().get("t").id()).isEqualTo(second);
        }

        @Test
        void shouldAnswerEverybodyWhoWaitsAndRefuseWhatIsNotThere() {
            // given
            create("t", 1, 1, Map.of());
            delete("t", 1);
            delete("t", 2);

            // then
            assertThat(all(applied(1), Command.Reply.class))
                    .containsExactly(new Command.Reply(1, new Answer.Done()), new Command.Reply(2, new Answer.Done()));
            assertThat(((Answer.Refused) answer(delete("t", 3))).error())
                    .isEqualTo(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION);
        }

        private Decision delete(String topic, long token) {
            return cluster.on(new TopicDeletionRequested(token, topic));
        }

        private Decision applied(int broker) {
            return cluster.on(new DeletionApplied(broker, cluster.node(broker).brokerEpoch(), TOPIC_ID));
        }
    }

    @Nested
    final class Configuration {
        @Test
        void shouldChangeMinIsrInTheSameWriteAsTheEligibleSetI12() {
            // given: ISR {1}, eligible {2, 3}
            ClusterFixture topic = ClusterFixture.withTopic(3, 3);
            topic.propose(1);
            assertThat(topic.partition().eligible()).hasSize(2);

            // when
            Decision decision =
                    topic.on(new TopicConfigsRequested(TOKEN, "t", new TreeMap<>(Map.of("min.insync.replicas", "1"))));

            // then
            assertThat(topic.partition().effectiveMinIsr()).isEqualTo(1);
            assertThat(topic.partition().eligible()).isEmpty();
            assertThat(topic.partition().leaderEpoch()).isZero();
            assertThat(decision.writes().get(0)).isInstanceOf(StateWrite.PutTopicConfigs.class);
            assertThat(decision.writes()).hasSize(2);
            assertThat(answer(decision))
                    .isEqualTo(new Answer.TopicConfigs(new TreeMap<>(Map.of("min.insync.replicas", "1"))));
        }

        // kafkactl#313: who changes other keys loses nobody's change; a key that goes leaves the default.
        // Fails if: TopicChange.onConfigs replaces all overrides
        @Test
        void shouldChangeOnlyWhatIsNamed() {
            // given
            ClusterFixture topic = ClusterFixture.withTopic(3, 3);
            topic.on(new TopicConfigsRequested(TOKEN, "t", configs("retention.ms", "1000", "segment.bytes", "2000")));

            // when
            Decision decision = topic.on(new TopicConfigsRequested(
                    TOKEN,
                    "t",
                    configs("retention.ms", "5000"),
                    new TreeSet<>(List.of("segment.bytes")),
                    Effect.APPLIED));

            // then
            SortedMap<String, String> left = configs("min.insync.replicas", "3", "retention.ms", "5000");
            assertThat(answer(decision)).isEqualTo(new Answer.TopicConfigs(left));
            assertThat(topic.state().topics().get("t").configs()).isEqualTo(left);
        }

        // Issue 6: topic configs are applied live. Brokers hear of a change that touches no partition's state.
        // Fails if: ClusterDraft.putConfigs tells nobody
        @Test
        void shouldTellBrokersOfAChange() {
            ClusterFixture topic = ClusterFixture.withTopic(3, 3);
            Decision decision = topic.on(new TopicConfigsRequested(TOKEN, "t", configs("retention.ms", "1000")));
            assertThat(all(decision, Command.PushChanges.class))
                    .containsExactly(new Command.PushChanges(List.of(new TopicPartition("t", 0)), List.of()));
        }

        // Fails if: TopicChange.onConfigs writes what is there already, or what is only to be said
        @Test
        void shouldWriteNothingThatChangesNothingOrIsOnlySaid() {
            // given
            ClusterFixture topic = ClusterFixture.withTopic(3, 3);
            topic.on(new TopicConfigsRequested(TOKEN, "t", configs("retention.ms", "1000")));

            // when
            Decision same = topic.on(new TopicConfigsRequested(TOKEN, "t", configs("retention.ms", "1000")));
            Decision said = topic.on(
                    new TopicConfigsRequested(TOKEN, "t", configs("retention.ms", "7"), new TreeSet<>(), Effect.SAID));

            // then
            assertThat(same.writes()).isEmpty();
            assertThat(said.writes()).isEmpty();
            assertThat(answer(said))
                    .isEqualTo(new Answer.TopicConfigs(configs("min.insync.replicas", "3", "retention.ms", "7")));
            assertThat(topic.state().topics().get("t").configs())
                    .isEqualTo(configs("min.insync.replicas", "3", "retention.ms", "1000"));
        }

        // Fails if: TopicChange.onConfigs ignores what cannot be taken away
        @Test
        void shouldRefuseToTakeAwayWhatIsNotThere() {
            ClusterFixture topic = ClusterFixture.withTopic(3, 3);
            Decision decision = topic.on(new TopicConfigsRequested(
                    TOKEN,
                    "t",
                    configs("segment.bytes", "2000"),
                    new TreeSet<>(List.of("retnetion.ms")),
                    Effect.APPLIED));
            assertThat(((Answer.Refused) answer(decision)).error()).isEqualTo(ErrorCode.INVALID_CONFIG);
            assertThat(decision.writes()).isEmpty();
        }

        @Test
        void shouldRefuseWhatIsIllegal() {
            ClusterFixture topic = ClusterFixture.withTopic(3, 3);
            Decision decision =
                    topic.on(new TopicConfigsRequested(TOKEN, "t", new TreeMap<>(Map.of("min.insync.replicas", "x"))));
            assertThat(((Answer.Refused) answer(decision)).error()).isEqualTo(ErrorCode.INVALID_CONFIG);
            assertThat(topic.partition().effectiveMinIsr()).isEqualTo(3);
        }
    }

    private static SortedMap<String, String> configs(String... keysAndValues) {
        SortedMap<String, String> configs = new TreeMap<>();
        for (int i = 0; i < keysAndValues.length; i += 2) {
            configs.put(keysAndValues[i], keysAndValues[i + 1]);
        }
        return configs;
    }

    private Decision create(String name, int partitions, int factor, Map<String, String> configs) {
        return cluster.on(new TopicCreationRequested(TOKEN, spec(name, partitions, factor, configs), TOPIC_ID, 0));
    }

    private static TopicSpec spec(String name, int partitions, int factor, Map<String, String> configs) {
        return new TopicSpec(name, partitions, factor, new TreeMap<>(configs));
    }
}
