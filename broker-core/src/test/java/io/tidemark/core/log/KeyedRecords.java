package io.tidemark.core.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.record.Codec;
import io.tidemark.record.LogRecord;
import io.tidemark.record.ProducerStamp;
import io.tidemark.record.RecordBatch;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.BitSet;

/**
 * The records of a compacted log that outlives its writers: what is at an offset follows from the offset, so that whoever finds the
 * log knows what was written.
 */
final class KeyedRecords {
    private static final int KEYS = 60;
    private static final int TOMBSTONE_EVERY = 7;
    private static final int SPREAD = 31;
    private static final int TIMESTAMP_MS = 1_000;

    private KeyedRecords() {}

    /** The records from {@code offset} on, in one batch. */
    static ByteBuffer batch(long offset, int count) {
        String[] entries = new String[count];
        for (int i = 0; i < count; i++) {
            entries[i] = entry(offset + i);
        }
        return CleanerRig.batch(Codec.NONE, ProducerStamp.NONE, TIMESTAMP_MS, entries);
    }

    /**
     * Of a log that begins at 0: offsets rise, each record is the one that was written there, and what is left of each key are its
     * latest records, with the last one among them unless that is a tombstone.
     */
    static void check(Log log) {
        BitSet present = new BitSet();
        long last = -1;
        for (RecordBatch batch : CleanerRig.batches(log)) {
            assertThat(batch.isCrcValid()).isTrue();
            for (LogRecord record : batch.records()) {
                assertThat(record.offset()).as("offsets rise").isGreaterThan(last);
                last = record.offset();
                assertThat(text(record)).as("record at %d", last).isEqualTo(entry(last));
                present.set((int) last);
            }
        }
        checkMissing(present, (int) log.end().offset());
    }

    private static void checkMissing(BitSet present, int end) {
        BitSet later = new BitSet();
        BitSet keysOfOlder = new BitSet();
        for (int offset = 0; offset < end; offset++) {
            if (present.get(offset)) {
                keysOfOlder.set(key(offset));
            } else {
                assertThat(keysOfOlder.get(key(offset)))
                        .as("there is something older of the key of the missing %d", offset)
                        .isFalse();
            }
        }
        for (int offset = end - 1; offset >= 0; offset--) {
            assertThat(present.get(offset) || later.get(key(offset)) || isTombstone(offset))
                    .as("%d is there, or something later of its key, or it is a tombstone", offset)
                    .isTrue();
            later.set(key(offset));
        }
    }

    private static String entry(long offset) {
        String key = "key " + key(offset);
        return isTombstone(offset) ? key : key + "=" + CrashingWriter.VALUE + offset;
    }

    /** Scattered, so that neighbours and whole segments have different ones. */
    private static int key(long offset) {
        return (int) (offset * SPREAD % KEYS + offset / KEYS * SPREAD) % KEYS;
    }

    private static boolean isTombstone(long offset) {
        return offset / KEYS % TOMBSTONE_EVERY == key(offset) % TOMBSTONE_EVERY;
    }

    private static String text(LogRecord record) {
        String key = StandardCharsets.UTF_8.decode(record.key().duplicate()).toString();
        return record.value() == null
                ? key
                : key + "=" + StandardCharsets.UTF_8.decode(record.value().duplicate());
    }
}
