package io.tidemark.core.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.log.LogModel.Written;
import io.tidemark.core.testkit.SeededRandomness;
import io.tidemark.record.LogRecord;
import io.tidemark.record.RecordBatch;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The times of the records of a {@link LogModel}, which rise by and large, beside look-ups by time in the log. */
final class LogTimesModel {
    private static final int MAX_STEP_MS = 30;
    private static final int MAX_BACK_MS = 200;
    private static final int MAX_BESIDE_MS = 3;

    private final Map<Written, List<Long>> timesMs = new HashMap<>();
    private long nowMs;

    /** The time of the next record, in milliseconds. */
    long next(SeededRandomness random) {
        nowMs += random.nextInt(MAX_STEP_MS);
        return Math.max(0, random.oneIn(3) ? nowMs - random.nextInt(MAX_BACK_MS) : nowMs);
    }

    /** The batch as it was sent is known by that name from now on. */
    void note(Written written, RecordBatch batch) {
        List<Long> times = new ArrayList<>();
        for (LogRecord record : batch.records()) {
            times.add(record.timestampMs());
        }
        timesMs.put(written, times);
    }

    /** Asks for the first record at or after some time, below some bound. */
    void check(Log log, List<Written> visible, SeededRandomness random) {
        long span = log.end().offset() - log.startOffset();
        long boundOffset = random.oneIn(2) ? Long.MAX_VALUE : log.startOffset() + random.nextInt((int) span + 2);
        long targetMs = Math.max(0, some(visible, random) - 1 + random.nextInt(MAX_BESIDE_MS));
        TimeSearch search = new TimeSearch(targetMs, boundOffset, () -> true);
        assertThat(log.search(search)).as("%s", search).isEqualTo(expected(log.startOffset(), visible, search));
    }

    private long some(List<Written> visible, SeededRandomness random) {
        return visible.isEmpty() || random.oneIn(6)
                ? random.nextInt((int) nowMs + 2)
                : random.pick(timesMs.get(random.pick(visible)));
    }

    private TimeSearch.Result expected(long startOffset, List<Written> visible, TimeSearch search) {
        for (Written batch : visible) {
            List<Long> times = timesMs.get(batch);
            for (int i = 0; i < times.size(); i++) {
                long offset = batch.base() + i;
                if (offset >= startOffset && offset < search.boundOffset() && times.get(i) >= search.timestampMs()) {
                    return new TimeSearch.Found(offset);
                }
            }
        }
        return new TimeSearch.None();
    }
}
