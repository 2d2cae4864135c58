package io.tidemark.client.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.client.net.Wire.LogPosition;
import io.tidemark.client.net.Wire.OffsetQuery;
import io.tidemark.model.TopicPartition;
import io.tidemark.wire.v1.ListOffsetsPartition;
import org.junit.jupiter.api.Test;

final class WireMapperTest {
    private static ListOffsetsPartition asked(LogPosition position) {
        return WireMapper.offsets(new OffsetQuery(new TopicPartition("orders", 3), 7, position));
    }

    @Test
    void shouldAskForEachPlaceInALog() {
        ListOffsetsPartition earliest = asked(LogPosition.EARLIEST);
        assertThat(earliest.getTopic()).isEqualTo("orders");
        assertThat(earliest.getPartition()).isEqualTo(3);
        assertThat(earliest.getCurrentLeaderEpoch()).isEqualTo(7);
        assertThat(earliest.getPosition()).isEqualTo(ListOffsetsPartition.Position.POSITION_EARLIEST);
        assertThat(asked(LogPosition.LATEST).getPosition()).isEqualTo(ListOffsetsPartition.Position.POSITION_LATEST);
        ListOffsetsPartition time = asked(LogPosition.atTime(1_700_000_000_123L));
        assertThat(time.getPosition()).isEqualTo(ListOffsetsPartition.Position.POSITION_TIMESTAMP);
        assertThat(time.getTimestampMs()).isEqualTo(1_700_000_000_123L);
    }
}
