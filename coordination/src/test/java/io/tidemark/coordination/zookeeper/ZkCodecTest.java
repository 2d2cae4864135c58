package io.tidemark.coordination.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.coordination.zookeeper.ZkContent.Controller;
import io.tidemark.coordination.zookeeper.ZkContent.Incarnation;
import io.tidemark.coordination.zookeeper.ZkContent.ProducerIdBlock;
import io.tidemark.coordination.zookeeper.ZkContent.Topic;
import io.tidemark.model.BrokerRegistration;
import io.tidemark.model.Endpoint;
import io.tidemark.model.Member;
import io.tidemark.model.PartitionState;
import io.tidemark.model.TopicId;
import io.tidemark.model.TopicPartition;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

final class ZkCodecTest {
    private static final TopicId ID = new TopicId(1, 2);
    private static final TopicPartition T0 = new TopicPartition("t", 0);
    private static final List<Integer> REPLICAS = List.of(1, 2, 3);
    private static final PartitionState STATE =
            new PartitionState(ID, T0, 2, 5, 9, REPLICAS, List.of(new Member(2, 0), new Member(3, 4)), List.of(), 2, 7);

    @Test
    void shouldWriteStateThatAPersonCanRead() {
        assertThat(ZkCodec.encodePartition(STATE, ZkCodec.NOTHING_CARRIED))
                .isEqualTo("{\"version\":1,\"leader\":2,\"leaderEpoch\":5,"
                        + "\"isr\":[{\"brokerId\":2,\"incarnation\":\"0\"},{\"brokerId\":3,\"incarnation\":\"4\"}],"
                        + "\"eligible\":[],\"effectiveMinIsr\":2,\"partitionEpoch\":9,\"controllerEpoch\":7}");
    }

    @Test
    void shouldReadBackWhatItWrote() {
        // given
        BrokerRegistration broker = new BrokerRegistration(
                4,
                77,
                Long.MIN_VALUE,
                new Endpoint("a", 1),
                new Endpoint("::1", 2),
                new Endpoint("c", 3),
                "",
                List.of("d1", "d2"),
                BrokerRegistration.PROVES_NOTHING);
        TreeMap<Integer, List<Integer>> replicas = new TreeMap<>();
        replicas.put(0, REPLICAS);
        replicas.put(1, List.of(3));
        TreeMap<Integer, List<Integer>> adding = new TreeMap<>();
        adding.put(1, List.of(3));
        Topic topic = new Topic(ID, replicas, adding, new TreeMap<>(), true);
        TreeMap<String, String> configs = new TreeMap<>();
        configs.put("min.insync.replicas", "2");
        Incarnation incarnation = new Incarnation(Long.MAX_VALUE, broker);
        Controller controller = new Controller(0, new Endpoint("h", 9), 3);
        ProducerIdBlock block = new ProducerIdBlock(1, 1000, 2000);

        // then
        ZkNode node = new ZkNode(ZkCodec.encodeBroker(broker), new ZkStat(0, 77, 5));
        assertThat(ZkCodec.decodeBroker(4, node).orThrow()).isEqualTo(broker);
        assertThat(ZkCodec.decodeTopic("t", ZkCodec.encodeTopic(topic, "")).orThrow())
                .isEqualTo(topic);
        assertThat(ZkCodec.decodePartition(T0, ID, REPLICAS, ZkCodec.encodePartition(STATE, ""))
                        .orThrow())
                .isEqualTo(STATE);
        assertThat(ZkCodec.decodeTopicConfig("t", ZkCodec.encodeTopicConfig(configs, ""))
                        .orThrow())
                .isEqualTo(configs);
        assertThat(ZkCodec.decodeIncarnation(4, ZkCodec.encodeIncarnation(incarnation, ""))
                        .orThrow())
                .isEqualTo(incarnation);
        assertThat(ZkCodec.decodeController(ZkCodec.encodeController(controller))
                        .orThrow())
                .isEqualTo(controller);
        assertThat(ZkCodec.decodeControllerEpoch(ZkCodec.encodeControllerEpoch(0, ""))
                        .orThrow())
                .isZero();
        assertThat(ZkCodec.decodeProducerIdBlock(ZkCodec.encodeProducerIdBlock(block, ""))
                        .orThrow())
                .isEqualTo(block);
        assertThat(ZkCodec.decodeClusterId(ZkCodec.encodeClusterId("c1")).orThrow())
                .isEqualTo("c1");
    }

    @Test
    void shouldKeepFieldsOfANewerVersionWhenANodeIsRewritten() {
        // given a node of version 2 with a new scalar, a new object, and a new field in a list's element
        String newer =
                "{\"version\":2,\"leader\":1,\"leaderEpoch\":5,\"leaderRecovery\":\"CLEAN\",\"zone\":{\"a\":[1]},"
                        + "\"isr\":[{\"brokerId\":1,\"incarnation\":\"0\",\"since\":\"12\"},{\"brokerId\":3,\"incarnation\":\"4\","
                        + "\"since\":\"13\"}],\"effectiveMinIsr\":2,\"partitionEpoch\":8,\"controllerEpoch\":7}";
        Decoded<PartitionState> read = ZkCodec.decodePartition(T0, ID, REPLICAS, newer);

        // when broker 1 leaves
        String rewritten = ZkCodec.encodePartition(STATE, read.carry());

        // then
        assertThat(read.isOk()).isTrue();
        assertThat(rewritten)
                .contains("\"version\":2", "\"leaderRecovery\":\"CLEAN\"", "\"zone\":{\"a\":[1]}")
                .contains("{\"brokerId\":3,\"incarnation\":\"4\",\"since\":\"13\"}")
                .contains("{\"brokerId\":2,\"incarnation\":\"0\"}")
                .doesNotContain("\"12\"");
        assertThat(ZkCodec.decodePartition(T0, ID, REPLICAS, rewritten).orThrow())
                .isEqualTo(STATE);
    }

    @Test
    void shouldKeepNewFieldsInsideMapsButNotRemovedEntries() {
        // given
        String newer =
                "{\"version\":1,\"topicId\":\"" + ID + "\",\"replicas\":{\"0\":{\"replicas\":[1],\"racks\":[\"r\"]}},"
                        + "\"adding\":{\"0\":{\"replicas\":[1],\"why\":\"x\"}},\"deleting\":false}";
        TreeMap<Integer, List<Integer>> replicas = new TreeMap<>();
        replicas.put(0, List.of(2));

        // when
        String rewritten = ZkCodec.encodeTopic(
                Topic.of(ID, replicas), ZkCodec.decodeTopic("t", newer).carry());

        // then
        assertThat(rewritten)
                .contains("\"replicas\":{\"0\":{\"replicas\":[2],\"racks\":[\"r\"]}}")
                .contains("\"adding\":{}");
    }

    @Test
    void shouldCarryNothingWhenEveryFieldIsKnown() {
        String text = ZkCodec.encodePartition(STATE, ZkCodec.NOTHING_CARRIED);

        assertThat(ZkCodec.decodePartition(T0, ID, REPLICAS, text).carry()).isEmpty();
    }

    @Test
    void shouldNamePathAndReasonOfBadContent() {
        String[] bad = {
            "",
            "{",
            "[]",
            "null",
            "{}",
            "17",
            "{\"version\":1}",
            "{\"version\":1,\"isr\":[{\"brokerId\":1}],\"effectiveMinIsr\":0}",
            "{\"version\":1,\"isr\":[{\"brokerId\":\"x\"}],\"effectiveMinIsr\":1}",
            "{\"version\":1,\"isr\":[{\"brokerId\":1}],\"effectiveMinIsr\":1,\"leader\":-2}",
            "{\"version\":1,\"isr\":[{\"brokerId\":1}],\"effectiveMinIsr\":1,\"leaderEpoch\":-1}"
        };
        for (String text : bad) {
            Decoded<PartitionState> read = ZkCodec.decodePartition(T0, ID, REPLICAS, text);
            assertThat(read.isOk()).as(text).isFalse();
            assertThat(read.toOptional()).as(text).isEmpty();
            assertThat(read.problem()).as(text).startsWith("bad content of /topics/t/partitions/0/state: ");
            assertThatThrownBy(read::orThrow)
                    .isInstanceOf(Decoded.BadNodeException.class)
                    .hasMessage(read.problem());
        }
    }

    @Test
    void shouldRefuseATopicWithGapsOrWithoutReplicas() {
        String head = "{\"version\":1,\"topicId\":\"" + ID + "\",\"replicas\":";
        assertThat(ZkCodec.decodeTopic("t", head + "{\"1\":{\"replicas\":[1]}}}")
                        .problem())
                .contains("gaps");
        assertThat(ZkCodec.decodeTopic("t", head + "{\"0\":{\"replicas\":[]}}}").problem())
                .contains("without replicas");
        assertThat(ZkCodec.decodeTopic("t", head + "{}}").problem()).contains("no partitions");
    }
}
