package io.tidemark.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;

final class TopicPartitionTest {
    @Test
    void shouldOrderByTopicThenByNumber() {
        // given
        TopicPartition a2 = new TopicPartition("a", 2);
        TopicPartition a10 = new TopicPartition("a", 10);
        TopicPartition ab0 = new TopicPartition("ab", 0);
        // then
        assertThat(List.of(ab0, a10, a2).stream().sorted()).containsExactly(a2, a10, ab0);
        assertThat(a2).isEqualByComparingTo(new TopicPartition("a", 2));
    }

    @Test
    void shouldPrintTheNameOfItsDirectory() {
        assertThat(new TopicPartition("my-topic", 7)).hasToString("my-topic-7");
    }

    @Test
    void shouldRefuseEmptyTopicAndNegativeNumber() {
        assertThatIllegalArgumentException().isThrownBy(() -> new TopicPartition("", 0));
        assertThatIllegalArgumentException().isThrownBy(() -> new TopicPartition("t", -1));
    }
}
