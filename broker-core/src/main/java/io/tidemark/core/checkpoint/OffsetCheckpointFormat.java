package io.tidemark.core.checkpoint;

import io.tidemark.model.TopicPartition;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.zip.CRC32C;

/**
 * The bytes of an offset checkpoint, all big-endian (S56):
 *
 * <pre>
 * int32   number of entries
 * per entry, ordered by topic and partition:
 *   string  topic: int16 length in bytes, then modified UTF-8 ({@link java.io.DataOutput#writeUTF})
 *   int32   partition
 *   int64   offset, at least 0
 * int32   CRC-32C of everything before it     only with {@link Trailer#CRC32C}
 * </pre>
 */
final class OffsetCheckpointFormat {
    private static final int COUNT_BYTES = Integer.BYTES;
    private static final int CRC_BYTES = Integer.BYTES;
    private static final int MIN_ENTRY_BYTES = Short.BYTES + 1 + Integer.BYTES + Long.BYTES;

    /** What follows the entries. */
    enum Trailer {
        NONE,
        CRC32C
    }

    private OffsetCheckpointFormat() {}

    static byte[] encode(Map<TopicPartition, Long> offsets, Trailer trailer) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeInt(offsets.size());
            for (Map.Entry<TopicPartition, Long> entry : new TreeMap<>(offsets).entrySet()) {
                requireOffset(entry.getKey(), entry.getValue());
                out.writeUTF(entry.getKey().topic());
                out.writeInt(entry.getKey().partition());
                out.writeLong(entry.getValue());
            }
            if (trailer == Trailer.CRC32C) {
                out.writeInt(crc(ByteBuffer.wrap(bytes.toByteArray())));
            }
        } catch (IOException e) {
            // No disk is involved: a topic name was too long for its length field.
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    private static void requireOffset(TopicPartition partition, long offset) {
        if (offset < 0) {
            throw new IllegalArgumentException("no offset to keep for " + partition + ": " + offset);
        }
    }

    static SortedMap<TopicPartition, Long> decode(byte[] content, Trailer trailer) throws DamagedContentException {
        int bodyBytes = trailer == Trailer.CRC32C ? checkedBodyBytes(content) : content.length;
        if (bodyBytes < COUNT_BYTES) {
            throw new DamagedContentException("it has " + content.length + " bytes, less than an entry count");
        }
        int count = ByteBuffer.wrap(content).getInt();
        if (count < 0 || count > (bodyBytes - COUNT_BYTES) / MIN_ENTRY_BYTES) {
            throw new DamagedContentException("it claims " + count + " entries in " + content.length + " bytes");
        }
        ByteArrayInputStream bytes = new ByteArrayInputStream(content, COUNT_BYTES, bodyBytes - COUNT_BYTES);
        SortedMap<TopicPartition, Long> offsets = decodeEntries(new DataInputStream(bytes), count);
        if (bytes.available() > 0) {
            throw new DamagedContentException(bytes.available() + " bytes follow its last entry");
        }
        return offsets;
    }

    private static int checkedBodyBytes(byte[] content) throws DamagedContentException {
        int bodyBytes = content.length - CRC_BYTES;
        if (bodyBytes < 0) {
            throw new DamagedContentException("it has " + content.length + " bytes, less than a checksum");
        }
        int stored = ByteBuffer.wrap(content).getInt(bodyBytes);
        int computed = crc(ByteBuffer.wrap(content, 0, bodyBytes));
        if (stored != computed) {
            throw new DamagedContentException(
                    String.format("its checksum is %08x and its content has %08x", stored, computed));
        }
        return bodyBytes;
    }

    private static SortedMap<TopicPartition, Long> decodeEntries(DataInputStream in, int count)
            throws DamagedContentException {
        SortedMap<TopicPartition, Long> offsets = new TreeMap<>();
        for (int i = 0; i < count; i++) {
            try {
                TopicPartition partition = new TopicPartition(in.readUTF(), in.readInt());
                long offset = in.readLong();
                if (offset < 0) {
                    throw new DamagedContentException("the offset of " + partition + " is " + offset);
                }
                if (offsets.put(partition, offset) != null) {
                    throw new DamagedContentException("it names " + partition + " twice");
                }
            } catch (IOException | IllegalArgumentException e) {
                throw new DamagedContentException("entry " + (i + 1) + " of " + count + " is unreadable: " + e);
            }
        }
        return offsets;
    }

    private static int crc(ByteBuffer bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes);
        return (int) crc.getValue();
    }
}
