package io.tidemark.core.log;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * The producers of a log as of one of its ends. Layout, big-endian:
 *
 * <pre>
 *  0 version    int16  1
 *  2 endOffset  int64  end of the log that this describes
 * 10 lastEpoch  int32  epoch of the last batch below endOffset, -1 if there is none
 * 14 precedingBytes int32  size of the segment before the one of the snapshot's name; 0 if there is none
 * 18 count      int32  producers, silent longest first, each:
 *                      producerId int64, epoch int16, hadMore int8, batches int8, then per batch, oldest first:
 *                      firstSequence int32, lastSequence int32, firstOffset int64, lastOffset int64
 *    crc        int32  CRC-32C of everything before
 * </pre>
 *
 * <p>{@code lastEpoch} ties it to a history: the same offset and epoch in another place of the log's life is the same
 * content, any other combination is a snapshot of batches that were truncated since.
 */
record ProducerSnapshot(long endOffset, int lastEpoch, int precedingBytes, Collection<ProducerState> producers) {
    private static final short VERSION = 1;
    private static final int HEADER_BYTES = 22;
    private static final int PRODUCER_BYTES = 12;
    private static final int BATCH_BYTES = 24;
    private static final int CRC_BYTES = 4;

    byte[] encode() {
        int sizeBytes = HEADER_BYTES + CRC_BYTES;
        for (ProducerState producer : producers) {
            sizeBytes += PRODUCER_BYTES + producer.window().size() * BATCH_BYTES;
        }
        ByteBuffer bytes = ByteBuffer.allocate(sizeBytes);
        bytes.putShort(VERSION).putLong(endOffset).putInt(lastEpoch);
        bytes.putInt(precedingBytes).putInt(producers.size());
        for (ProducerState producer : producers) {
            bytes.putLong(producer.producerId()).putShort(producer.epoch());
            bytes.put((byte) (producer.hadMore() ? 1 : 0))
                    .put((byte) producer.window().size());
            for (ProducerState.Written batch : producer.window()) {
                bytes.putInt(batch.firstSequence()).putInt(batch.lastSequence());
                bytes.putLong(batch.firstOffset()).putLong(batch.lastOffset());
            }
        }
        bytes.putInt(crcOf(bytes.array(), bytes.position()));
        return bytes.array();
    }

    /** Reads what {@link #encode()} wrote; empty if it is anything else. */
    static Optional<ProducerSnapshot> decode(byte[] content) {
        ByteBuffer bytes = ByteBuffer.wrap(content);
        int crcAt = content.length - CRC_BYTES;
        if (crcAt < HEADER_BYTES || bytes.getInt(crcAt) != crcOf(content, crcAt) || bytes.getShort() != VERSION) {
            return Optional.empty();
        }
        long endOffset = bytes.getLong();
        int lastEpoch = bytes.getInt();
        int precedingBytes = bytes.getInt();
        int count = bytes.getInt();
        List<ProducerState> producers = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            producers.add(decodeProducer(bytes));
        }
        return Optional.of(new ProducerSnapshot(endOffset, lastEpoch, precedingBytes, producers));
    }

    private static ProducerState decodeProducer(ByteBuffer bytes) {
        long producerId = bytes.getLong();
        short epoch = bytes.getShort();
        boolean hadMore = bytes.get() != 0;
        int batches = bytes.get();
        List<ProducerState.Written> window = new ArrayList<>(batches);
        for (int i = 0; i < batches; i++) {
            window.add(new ProducerState.Written(bytes.getInt(), bytes.getInt(), bytes.getLong(), bytes.getLong()));
        }
        return new ProducerState(producerId, epoch, hadMore, window);
    }

    private static int crcOf(byte[] bytes, int count) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, 0, count);
        return (int) crc.getValue();
    }
}
