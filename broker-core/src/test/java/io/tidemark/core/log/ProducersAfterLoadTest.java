package io.tidemark.core.log;

import static io.tidemark.core.log.LogRig.append;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.model.ErrorCode;
import io.tidemark.record.ProducerStamp;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** What a log knows of producers after it was loaded or cut. */
final class ProducersAfterLoadTest {
    private final LogRig rig = new LogRig(LogRig.CONFIG.withSegmentBytes(400).withIndex(1, 1 << 20));

    @Test
    void shouldKnowProducersAgainAfterEveryKindOfStop() throws Exception {
        // given: KAFKA-7692, also after a restart; three segments
        SegmentedLog log = rig.leader();
        for (int i = 0; i < 12; i++) {
            append(log, 0, Batches.of(new ProducerStamp(7, (short) 2, 2 * i), "a".repeat(30), "b"));
        }
        Runnable check = () -> {
            rig.log().becomeLeader(1);
            assertThat(rig.log().appendAsLeader(Batches.of(new ProducerStamp(7, (short) 2, 18), "c", "d"), 1))
                    .isEqualTo(new AppendResult.Duplicate(18, 19, rig.log().end()));
        };

        // when / then
        check.run();
        rig.restartCleanly();
        check.run();
        rig.crash();
        check.run();
        rig.directories.closeCleanly();
        rig.deleteSnapshots();
        rig.start();
        check.run();
    }

    /** KAFKA-7692 (bug 31), through a log. Fails if: a state is rebuilt with the first sequence plus the count, unwrapped. */
    @Test
    void shouldKnowAWrappedSequenceAgainAfterEveryKindOfStop() {
        // given: the batch ends at 2020 and wraps to sequence 9
        SegmentedLog log = rig.log();
        log.becomeFollower(0);
        LogRig.copy(log, 0, Batches.at(1_999, 0, wrapping(Integer.MAX_VALUE - 11, 1)));
        LogRig.copy(log, 0, Batches.at(2_000, 0, wrapping(Integer.MAX_VALUE - 10, 21)));
        Runnable check = () -> {
            rig.log().becomeLeader(1);
            assertThat(rig.log().appendAsLeader(wrapping(Integer.MAX_VALUE - 10, 21), 1))
                    .isEqualTo(
                            new AppendResult.Duplicate(2_000, 2_020, rig.log().end()));
            assertThat(rig.log().appendAsLeader(wrapping(11, 1), 1))
                    .isInstanceOfSatisfying(
                            AppendResult.Refused.class,
                            refused -> assertThat(refused.error()).isEqualTo(ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER));
        };

        // when / then
        check.run();
        rig.restartCleanly();
        check.run();
        rig.crash();
        check.run();
        assertThat(append(rig.log(), 1, wrapping(10, 1)).firstOffset()).isEqualTo(2_021);
    }

    private static ByteBuffer wrapping(int sequence, int count) {
        String[] values = new String[count];
        Arrays.fill(values, "v");
        return Batches.of(new ProducerStamp(7, (short) 0, sequence), values);
    }

    @Test
    void shouldKeepAsManySnapshotsAsAStartMayNeed() throws Exception {
        // given
        SegmentedLog log = rig.leader();
        for (int i = 0; i < 30; i++) {
            append(log, 0, Batches.ofSize(100));
        }
        assertThat(rig.filesWith(".snapshot")).hasSize(7);

        // when
        log.force();
        rig.scheduler.advance(LogRig.RECORDING_PERIOD);

        // then
        assertThat(rig.filesWith(".snapshot"))
                .containsExactly("00000000000000000024.snapshot", "00000000000000000028.snapshot");
    }

    @Test
    void shouldRebuildProducersFromTheLogWhenATruncationGoesBehindTheirWindow() {
        // given
        SegmentedLog log = rig.leader();
        for (int i = 0; i < 12; i++) {
            append(log, 0, Batches.of(new ProducerStamp(7, (short) 0, i), "a".repeat(30)));
        }

        // when
        log.truncateTo(3);

        // then
        assertThat(log.appendAsLeader(Batches.of(new ProducerStamp(7, (short) 0, 2), "x"), 0))
                .isEqualTo(new AppendResult.Duplicate(2, 2, log.end()));
        assertThat(log.appendAsLeader(Batches.of(new ProducerStamp(7, (short) 0, 3), "x"), 0))
                .isInstanceOf(AppendResult.Appended.class);
    }
}
