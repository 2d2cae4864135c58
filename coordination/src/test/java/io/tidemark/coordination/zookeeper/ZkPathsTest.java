package io.tidemark.coordination.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.model.TopicPartition;
import org.junit.jupiter.api.Test;

final class ZkPathsTest {
    @Test
    void shouldNameTheNodesOfDesignSection6() {
        assertThat(ZkPaths.broker(3)).isEqualTo("/brokers/ids/3");
        assertThat(ZkPaths.incarnation(3)).isEqualTo("/brokers/incarnations/3");
        assertThat(ZkPaths.topic("t")).isEqualTo("/topics/t");
        assertThat(ZkPaths.partitions("t")).isEqualTo("/topics/t/partitions");
        assertThat(ZkPaths.partitionState(new TopicPartition("t", 7))).isEqualTo("/topics/t/partitions/7/state");
        assertThat(ZkPaths.topicConfig("t")).isEqualTo("/config/topics/t");
    }

    @Test
    void shouldListParentsBeforeChildren() {
        for (String path : ZkPaths.SKELETON) {
            String parent = path.substring(0, path.lastIndexOf('/'));
            if (!parent.isEmpty()) {
                assertThat(ZkPaths.SKELETON.indexOf(parent)).isBetween(0, ZkPaths.SKELETON.indexOf(path) - 1);
            }
        }
    }

    @Test
    void shouldReadOnlyCanonicalNumbers() {
        assertThat(ZkPaths.number("0")).hasValue(0);
        assertThat(ZkPaths.number("2147483647")).hasValue(Integer.MAX_VALUE);
        for (String bad : new String[] {"", "-1", "01", "2147483648", "99999999999", "x", "1 ", "\u0661"}) {
            assertThat(ZkPaths.number(bad)).as(bad).isEmpty();
        }
    }

    @Test
    void shouldRefuseNamesThatWouldLeaveTheirPlace() {
        assertThatThrownBy(() -> ZkPaths.topic("a/b")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> ZkPaths.topicConfig("")).isInstanceOf(IllegalArgumentException.class);
    }
}
