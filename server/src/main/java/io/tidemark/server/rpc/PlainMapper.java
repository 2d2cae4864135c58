package io.tidemark.server.rpc;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.UnsafeByteOperations;
import io.tidemark.model.Acks;
import io.tidemark.model.TopicPartition;
import io.tidemark.record.Header;
import io.tidemark.record.LogRecord;
import io.tidemark.wire.v1.PartitionStart;
import io.tidemark.wire.v1.PlainHeader;
import io.tidemark.wire.v1.PublishRequest;
import io.tidemark.wire.v1.PublishStreamResponse;
import io.tidemark.wire.v1.PublishedRange;
import io.tidemark.wire.v1.StartAt;
import io.tidemark.wire.v1.SubscribeResponse;
import io.tidemark.wire.v1.SubscribedRecord;
import io.tidemark.wire.v1.Subscription;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The plain API between values and messages. What contradicts itself is a {@link MalformedRequestException}. */
final class PlainMapper {
    /** What a topic's name may have at most. */
    private static final int LONGEST_NAME = 249;

    private PlainMapper() {}

    /** The acks of a unary call, or of the first message of a stream. */
    static Acks acks(PublishRequest wire) {
        return switch (wire.getAcks()) {
            case ACKS_UNSPECIFIED, ACKS_ALL -> Acks.ALL;
            case ACKS_LEADER -> Acks.LEADER;
            case ACKS_NONE -> Acks.NONE;
            case UNRECOGNIZED -> throw malformed("acks must be NONE, LEADER or ALL");
        };
    }

    static Plain.Publication publication(PublishRequest wire, Acks acks) {
        requireTopic(wire.getTopic());
        require(!wire.hasPartition() || wire.getPartition() >= 0, "partition must not be negative");
        require(!wire.hasTimestampMs() || wire.getTimestampMs() >= 0, "timestamp_ms must not be negative");
        List<Header> headers = new ArrayList<>(wire.getHeadersCount());
        for (PlainHeader header : wire.getHeadersList()) {
            headers.add(new Header(header.getKey(), header.hasValue() ? bytes(header.getValue()) : null));
        }
        return new Plain.Publication(
                wire.getTopic(),
                wire.hasPartition() ? wire.getPartition() : null,
                wire.hasKey() ? bytes(wire.getKey()) : null,
                wire.hasValue() ? bytes(wire.getValue()) : null,
                headers,
                wire.hasTimestampMs() ? wire.getTimestampMs() : null,
                acks);
    }

    static Plain.Selection selection(Subscription wire) {
        requireTopic(wire.getTopic());
        require(wire.getCreditBytes() >= 0, "credit_bytes must not be negative");
        Plain.Place otherwise = wire.hasFrom() ? place(wire.getFrom()) : Plain.Place.Edge.LATEST;
        SortedMap<Integer, Plain.Place> partitions = new TreeMap<>();
        for (PartitionStart start : wire.getPartitionsList()) {
            require(start.getPartition() >= 0, "partition must not be negative");
            Plain.Place place = start.hasFrom() ? place(start.getFrom()) : otherwise;
            Plain.Place twice = partitions.put(start.getPartition(), place);
            require(twice == null, "partition " + start.getPartition() + " is named twice");
        }
        return new Plain.Selection(
                wire.getTopic(),
                partitions,
                otherwise,
                wire.getStopAtEnd() ? Plain.Selection.Until.END : Plain.Selection.Until.CANCELLED);
    }

    private static Plain.Place place(StartAt wire) {
        return switch (wire.getPlaceCase()) {
            case OFFSET -> {
                require(wire.getOffset() >= 0, "offset must not be negative");
                yield new Plain.Place.Offset(wire.getOffset());
            }
            case EDGE -> edge(wire.getEdge());
            case TIMESTAMP_MS -> {
                require(wire.getTimestampMs() >= 0, "timestamp_ms must not be negative");
                yield new Plain.Place.Timestamp(wire.getTimestampMs());
            }
            case PLACE_NOT_SET -> throw malformed("a place to begin needs an offset, an edge or a timestamp");
        };
    }

    private static Plain.Place edge(StartAt.Edge wire) {
        return switch (wire) {
            case EDGE_EARLIEST -> Plain.Place.Edge.EARLIEST;
            case EDGE_LATEST -> Plain.Place.Edge.LATEST;
            case EDGE_UNSPECIFIED, UNRECOGNIZED -> throw malformed("edge must be EARLIEST or LATEST");
        };
    }

    static SubscribeResponse toWire(Plain.Slice slice) {
        SubscribeResponse.Builder response = SubscribeResponse.newBuilder()
                .setPartition(slice.partition())
                .setNextOffset(slice.nextOffset())
                .setHighWatermark(slice.highWatermark());
        for (LogRecord record : slice.records()) {
            response.addRecords(toWire(record));
        }
        return response.build();
    }

    static SubscribedRecord toWire(LogRecord record) {
        SubscribedRecord.Builder wire =
                SubscribedRecord.newBuilder().setOffset(record.offset()).setTimestampMs(record.timestampMs());
        if (record.key() != null) {
            wire.setKey(bytes(record.key()));
        }
        if (record.value() != null) {
            wire.setValue(bytes(record.value()));
        }
        for (Header header : record.headers()) {
            PlainHeader.Builder to = PlainHeader.newBuilder().setKey(header.key());
            if (header.value() != null) {
                to.setValue(bytes(header.value()));
            }
            wire.addHeaders(to);
        }
        return wire.build();
    }

    /** The size of the record as {@link #toWire(LogRecord)} makes it, without making it. */
    static long weightBytes(LogRecord record) {
        long size = number(SubscribedRecord.OFFSET_FIELD_NUMBER, record.offset())
                + number(SubscribedRecord.TIMESTAMP_MS_FIELD_NUMBER, record.timestampMs())
                + field(SubscribedRecord.KEY_FIELD_NUMBER, record.key())
                + field(SubscribedRecord.VALUE_FIELD_NUMBER, record.value());
        for (Header header : record.headers()) {
            int inner = field(PlainHeader.VALUE_FIELD_NUMBER, header.value());
            if (!header.key().isEmpty()) {
                inner += CodedOutputStream.computeStringSize(PlainHeader.KEY_FIELD_NUMBER, header.key());
            }
            size += delimited(SubscribedRecord.HEADERS_FIELD_NUMBER, inner);
        }
        return size;
    }

    private static long number(int field, long value) {
        return value == 0 ? 0 : CodedOutputStream.computeInt64Size(field, value);
    }

    private static int field(int field, @Nullable ByteBuffer value) {
        return value == null ? 0 : delimited(field, value.remaining());
    }

    private static int delimited(int field, int sizeBytes) {
        return CodedOutputStream.computeTagSize(field)
                + CodedOutputStream.computeUInt32SizeNoTag(sizeBytes)
                + sizeBytes;
    }

    static PublishStreamResponse toWire(PublishedSoFar published) {
        PublishStreamResponse.Builder response =
                PublishStreamResponse.newBuilder().setAcknowledged(published.acknowledged());
        published.ranges().forEach((partition, range) -> response.addRanges(toWire(partition, range)));
        return response.build();
    }

    private static PublishedRange toWire(TopicPartition partition, PublishedSoFar.Range range) {
        return PublishedRange.newBuilder()
                .setTopic(partition.topic())
                .setPartition(partition.partition())
                .setRecords(range.records())
                .setFirstOffset(range.firstOffset())
                .setLastOffset(range.lastOffset())
                .build();
    }

    /** Received bytes, and those of a fetched batch, do not change any more: neither way needs a copy. */
    private static ByteBuffer bytes(ByteString received) {
        return received.asReadOnlyByteBuffer();
    }

    private static ByteString bytes(ByteBuffer fetched) {
        return UnsafeByteOperations.unsafeWrap(fetched);
    }

    private static void requireTopic(String name) {
        require(!name.isEmpty(), "a topic is needed");
        require(name.length() <= LONGEST_NAME, "a topic's name has at most " + LONGEST_NAME + " characters");
    }

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw malformed(otherwise);
        }
    }

    static MalformedRequestException malformed(String why) {
        return new MalformedRequestException(new IllegalArgumentException(why));
    }
}
