package io.tidemark.server.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import io.tidemark.core.testkit.SeededRandomness;
import io.tidemark.model.Acks;
import io.tidemark.record.Header;
import io.tidemark.record.LogRecord;
import io.tidemark.wire.v1.PartitionStart;
import io.tidemark.wire.v1.PlainHeader;
import io.tidemark.wire.v1.PublishRequest;
import io.tidemark.wire.v1.StartAt;
import io.tidemark.wire.v1.SubscribedRecord;
import io.tidemark.wire.v1.Subscription;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class PlainMapperTest {
    private static Plain.Publication publication(PublishRequest.Builder wire) {
        return PlainMapper.publication(wire.build(), Acks.ALL);
    }

    @Test
    void shouldTellNullFromEmpty() {
        // S7
        Plain.Publication nothing = publication(PublishRequest.newBuilder()
                .setTopic("a")
                .addHeaders(PlainHeader.newBuilder().setKey("h")));
        assertThat(nothing.key()).isNull();
        assertThat(nothing.value()).isNull();
        assertThat(nothing.partition()).isNull();
        assertThat(nothing.timestampMs()).isNull();
        assertThat(nothing.headers().get(0).value()).isNull();

        Plain.Publication empty = publication(PublishRequest.newBuilder()
                .setTopic("a")
                .setPartition(0)
                .setTimestampMs(0)
                .setKey(ByteString.EMPTY)
                .setValue(ByteString.EMPTY)
                .addHeaders(PlainHeader.newBuilder().setKey("h").setValue(ByteString.EMPTY)));
        assertThat(empty.key()).isEqualTo(ByteBuffer.allocate(0));
        assertThat(empty.value()).isEqualTo(ByteBuffer.allocate(0));
        assertThat(empty.partition()).isZero();
        assertThat(empty.timestampMs()).isZero();
        assertThat(empty.headers().get(0).value()).isEqualTo(ByteBuffer.allocate(0));
    }

    @Test
    void shouldTakeAbsentAcksAsAll() {
        assertThat(PlainMapper.acks(PublishRequest.getDefaultInstance())).isEqualTo(Acks.ALL);
        assertThatThrownBy(() -> PlainMapper.acks(
                        PublishRequest.newBuilder().setAcksValue(77).build()))
                .isInstanceOf(MalformedRequestException.class);
    }

    @Test
    void shouldRefuseFieldsOutOfTheirRange() {
        assertRefused(PublishRequest.newBuilder());
        assertRefused(PublishRequest.newBuilder().setTopic("a").setPartition(-1));
        assertRefused(PublishRequest.newBuilder().setTopic("a").setTimestampMs(-5));
    }

    private static void assertRefused(PublishRequest.Builder wire) {
        assertThatThrownBy(() -> publication(wire)).isInstanceOf(MalformedRequestException.class);
    }

    @Test
    void shouldBeginEachPartitionWhereItSays() {
        Plain.Selection selection = PlainMapper.selection(Subscription.newBuilder()
                .setTopic("a")
                .setFrom(StartAt.newBuilder().setEdge(StartAt.Edge.EDGE_EARLIEST))
                .addPartitions(PartitionStart.newBuilder().setPartition(1))
                .addPartitions(PartitionStart.newBuilder()
                        .setPartition(4)
                        .setFrom(StartAt.newBuilder().setOffset(0)))
                .addPartitions(PartitionStart.newBuilder()
                        .setPartition(5)
                        .setFrom(StartAt.newBuilder().setTimestampMs(12)))
                .build());
        assertThat(selection.partitions())
                .containsEntry(1, Plain.Place.Edge.EARLIEST)
                .containsEntry(4, new Plain.Place.Offset(0))
                .containsEntry(5, new Plain.Place.Timestamp(12));
    }

    @Test
    void shouldBeginAtTheEndWhenNothingIsSaid() {
        Plain.Selection selection =
                PlainMapper.selection(Subscription.newBuilder().setTopic("a").build());
        assertThat(selection.partitions()).isEmpty();
        assertThat(selection.otherwise()).isEqualTo(Plain.Place.Edge.LATEST);
        assertThat(selection.until()).isEqualTo(Plain.Selection.Until.CANCELLED);
    }

    @Test
    void shouldRefuseSubscriptionsThatContradictThemselves() {
        Subscription.Builder sound = Subscription.newBuilder().setTopic("a");
        List<Subscription.Builder> bad = List.of(
                Subscription.newBuilder(),
                sound.clone().setCreditBytes(-1),
                sound.clone().setFrom(StartAt.newBuilder()),
                sound.clone().setFrom(StartAt.newBuilder().setOffset(-1)),
                sound.clone().setFrom(StartAt.newBuilder().setTimestampMs(-1)),
                sound.clone().setFrom(StartAt.newBuilder().setEdgeValue(9)),
                sound.clone().addPartitions(PartitionStart.newBuilder().setPartition(-1)),
                sound.clone()
                        .addPartitions(PartitionStart.newBuilder().setPartition(1))
                        .addPartitions(PartitionStart.newBuilder().setPartition(1)));
        for (Subscription.Builder each : bad) {
            assertThatThrownBy(() -> PlainMapper.selection(each.build()))
                    .as("%s", each)
                    .isInstanceOf(MalformedRequestException.class);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void shouldWeighARecordAsItIsEncoded(long seed) {
        SeededRandomness randomness = new SeededRandomness(seed);
        for (int i = 0; i < 300; i++) {
            List<Header> headers = new ArrayList<>();
            for (int h = randomness.nextInt(3); h > 0; h--) {
                headers.add(new Header("ü".repeat(randomness.nextInt(90)), bytes(randomness)));
            }
            LogRecord record = new LogRecord(
                    randomness.nextLong() >>> (1 + randomness.nextInt(62)),
                    randomness.nextInt(4) == 0 ? 0 : randomness.nextInt(1 << 30),
                    bytes(randomness),
                    bytes(randomness),
                    headers);
            SubscribedRecord encoded = PlainMapper.toWire(record);
            assertThat(PlainMapper.weightBytes(record))
                    .as("seed %d, %s", seed, encoded)
                    .isEqualTo(encoded.getSerializedSize());
        }
    }

    private static @Nullable ByteBuffer bytes(SeededRandomness randomness) {
        return switch (randomness.nextInt(4)) {
            case 0 -> null;
            case 1 -> ByteBuffer.allocate(0);
            default -> ByteBuffer.allocate(randomness.nextInt(20_000));
        };
    }
}
