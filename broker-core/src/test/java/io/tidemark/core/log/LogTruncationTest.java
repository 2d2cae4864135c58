package io.tidemark.core.log;

import static io.tidemark.core.log.LogRig.append;
import static io.tidemark.core.log.LogRig.copy;
import static io.tidemark.core.log.LogRig.outline;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Cuts of every kind, and what a restart makes of them. */
final class LogTruncationTest {
    private final LogRig rig = new LogRig(LogRig.CONFIG.withIndex(1, 1 << 20).withSegmentBytes(200));

    private static TimeSearch.Result search(Log log, long timestampMs) {
        return log.search(new TimeSearch(timestampMs, log.end().offset(), () -> true));
    }

    @ParameterizedTest
    @ValueSource(longs = {99, 6, 5, 4, 3, 2, 1, 0})
    void shouldKeepEndAndLargestTimestampOverARestart(long offset) {
        // given: scenario 6: beyond the end, at it, at each batch, to nothing; batch i has timestamp 1000 * i
        // Fails if: Segment.truncateTo leaves the file as long as it was
        SegmentedLog log = rig.leader();
        for (int i = 0; i < 6; i++) {
            append(log, 0, Batches.timed(1_000L * i));
        }
        long left = Math.min(offset, 6);

        // when
        log.truncateTo(offset);

        // then
        for (int restart = 0; restart < 3; restart++) {
            Log now = rig.log();
            assertThat(now.end().offset()).isEqualTo(left);
            assertThat(outline(now)).hasSize((int) left);
            TimeSearch.Result newest = left == 0 ? new TimeSearch.None() : new TimeSearch.Found(left - 1);
            assertThat(search(now, 1_000 * (left - 1))).isEqualTo(newest);
            assertThat(search(now, 1_000 * (left - 1) + 1)).isEqualTo(new TimeSearch.None());
            if (restart == 0) {
                rig.restartCleanly();
            } else {
                rig.crash();
            }
        }
        assertThat(append(rig.leader(), 0, Batches.timed(7)).firstOffset()).isEqualTo(left);
    }

    @Test
    void shouldLoseNothingBelowACutInsideAGap() {
        // given: scenario 6, S10
        // Fails if: LogTruncator cuts at the batch in front of the gap
        Log log = rig.log();
        log.becomeFollower(0);
        copy(log, 0, Batches.at(0, 0, Batches.ofCount(2)));
        copy(log, 0, Batches.at(50, 0, Batches.ofCount(2)));

        // when
        LogEnd end = log.truncateTo(20);

        // then
        assertThat(end.offset()).isEqualTo(20);
        assertThat(outline(log)).isEqualTo(List.of("0-1@0"));
        rig.restartCleanly();
        assertThat(outline(rig.log())).isEqualTo(List.of("0-1@0"));
        assertThat(rig.log().end().offset()).isBetween(2L, 20L);
    }
}
