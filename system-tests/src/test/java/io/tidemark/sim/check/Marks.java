package io.tidemark.sim.check;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Batches as a test needs them. */
final class Marks {
    private Marks() {}

    /** One record at each offset from {@code base} on. */
    static BatchMark batch(long base, int epoch, String... values) {
        List<RecordMark> records = new ArrayList<>();
        for (int i = 0; i < values.length; i++) {
            records.add(new RecordMark(base + i, null, values[i]));
        }
        return new BatchMark(base, base + values.length - 1, epoch, Arrays.hashCode(values), records);
    }

    /** One record with a key; a null value is a tombstone. */
    static BatchMark keyed(long offset, int epoch, String key, @Nullable String value) {
        RecordMark record = new RecordMark(offset, key, value);
        return new BatchMark(offset, offset, epoch, record.hashCode(), List.of(record));
    }
}
