package io.tidemark.client.producer;

import static io.tidemark.client.producer.Batches.FIRST_IDENTITY;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class PendingBatchTest {
    @Test
    void shouldTellEachRecordItsOffset() {
        // given
        List<Long> offsets = new ArrayList<>();
        PendingBatch batch = Batches.of(3, 0, (partition, offset, failure) -> offsets.add(offset));

        // when
        batch.succeed(40);

        // then
        assertThat(offsets).containsExactly(40L, 41L, 42L);
    }

    @Test
    void shouldTellNoOffsetWhenNobodyKnowsIt() {
        // given
        List<Long> offsets = new ArrayList<>();
        PendingBatch batch = Batches.of(2, 0, (partition, offset, failure) -> offsets.add(offset));

        // when
        batch.succeed(-1);

        // then
        assertThat(offsets).containsExactly(-1L, -1L);
    }

    @Test
    void shouldAnswerTheOthersWhenACallbackThrows() {
        // given
        List<Long> offsets = new ArrayList<>();
        PendingBatch batch = Batches.of(3, 0, (partition, offset, failure) -> {
            offsets.add(offset);
            throw new IllegalStateException("thrown by the application");
        });

        // when
        batch.succeed(0);

        // then
        assertThat(offsets).containsExactly(0L, 1L, 2L);
    }

    @Test
    void shouldLeaveTheBytesOfAnEarlierAttemptAlone() {
        // given
        PendingBatch batch = Batches.of(2, 0);
        batch.stamp(FIRST_IDENTITY, 5);
        ByteBuffer earlier = batch.attempt();

        // when
        batch.stamp(FIRST_IDENTITY, 3);
        ByteBuffer later = batch.attempt();

        // then
        assertThat(Batches.parsed(earlier).baseSequence()).isEqualTo(5);
        assertThat(Batches.parsed(earlier).isCrcValid()).isTrue();
        assertThat(Batches.parsed(later).baseSequence()).isEqualTo(3);
        assertThat(Batches.parsed(later).isCrcValid()).isTrue();
        assertThat(Batches.parsed(later).recordCount()).isEqualTo(2);
    }

    @Test
    void shouldBeBuiltWithoutAnIdentity() {
        // when
        ByteBuffer bytes = Batches.of(1, 0).attempt();

        // then
        assertThat(Batches.parsed(bytes).hasProducerId()).isFalse();
    }
}
