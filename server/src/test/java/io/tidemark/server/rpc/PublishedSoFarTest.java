package io.tidemark.server.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.model.TopicPartition;
import org.junit.jupiter.api.Test;

final class PublishedSoFarTest {
    private static final TopicPartition FIRST = new TopicPartition("a", 0);
    private static final TopicPartition SECOND = new TopicPartition("a", 1);

    @Test
    void shouldSayWhichRecordIsTheFirstThatIsNotAcknowledged() {
        // given
        PublishedSoFar published = new PublishedSoFar();
        for (int i = 0; i < 4; i++) {
            assertThat(published.read()).isEqualTo(i);
        }

        // when another partition is faster
        published.acknowledged(0, FIRST, 10);
        published.acknowledged(2, SECOND, 20);
        published.acknowledged(3, SECOND, 25);

        // then
        assertThat(published.firstUnacknowledged()).isEqualTo(1);
        assertThat(published.acknowledged()).isEqualTo(3);
        published.acknowledged(1, FIRST, 13);
        assertThat(published.firstUnacknowledged()).isEqualTo(4);
        assertThat(published.ranges())
                .containsEntry(FIRST, new PublishedSoFar.Range(2, 10, 13))
                .containsEntry(SECOND, new PublishedSoFar.Range(2, 20, 25));
    }
}
