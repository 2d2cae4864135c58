package io.tidemark.core.log;

import static io.tidemark.core.log.LogRig.append;
import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.tidemark.core.config.LogConfig;
import io.tidemark.core.metrics.HousekeepingMetrics;
import io.tidemark.core.runtime.KafkaStorageException;
import io.tidemark.model.ErrorCode;
import io.tidemark.model.TopicId;
import io.tidemark.model.TopicPartition;
import io.tidemark.record.ProducerStamp;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What is done to every log now and then. */
final class LogHousekeepingTest {
    private static final Duration INTERVAL = Duration.ofMinutes(5);
    private static final Duration LIMIT = Duration.ofMinutes(10);
    private static final LogConfig CONFIG = LogRig.CONFIG
            .withSegmentBytes(80)
            .withIndex(1, 1 << 20)
            .with(LogConfig.DEFAULTS.retention().withLimits(LIMIT.toMillis(), -1))
            .withProducerIdExpiration(Duration.ofHours(1));

    private final LogRig rig = new LogRig(CONFIG);
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final List<TopicPartition> moved = new ArrayList<>();
    private final List<Log> troubled = new ArrayList<>();
    private final LogHousekeeping housekeeping = new LogHousekeeping(
            new WithTroubledLogs(),
            rig.scheduler.clock(),
            new HousekeepingMetrics(registry, LogRetention.Reason.labels()),
            moved::add,
            rig.scheduler,
            INTERVAL);

    /** The rig's logs behind some that fail. */
    private final class WithTroubledLogs implements LogRegistry {
        @Override
        public Optional<Log> find(TopicPartition partition) {
            return rig.directories.find(partition);
        }

        @Override
        public Log open(TopicPartition partition, TopicId topicId, LogConfig config) {
            return rig.directories.open(partition, topicId, config);
        }

        @Override
        public List<Log> logs() {
            List<Log> all = new ArrayList<>(troubled);
            all.addAll(rig.directories.logs());
            return all;
        }

        @Override
        public List<Path> directories() {
            return rig.directories.directories();
        }

        @Override
        public boolean delete(TopicPartition partition, TopicId topicId) {
            return rig.directories.delete(partition, topicId);
        }

        @Override
        public void closeCleanly() {
            rig.directories.closeCleanly();
        }
    }

    /** A log of which every call but the one for its name fails. */
    private static Log failing(RuntimeException failure) {
        InvocationHandler calls = (log, method, arguments) -> {
            if (method.getName().equals("partition")) {
                return new TopicPartition("troubled", 0);
            }
            throw failure;
        };
        return (Log) Proxy.newProxyInstance(Log.class.getClassLoader(), new Class<?>[] {Log.class}, calls);
    }

    private SegmentedLog filled(int batches) {
        SegmentedLog log = rig.leader();
        for (int i = 0; i < batches; i++) {
            append(log, 0, Batches.timed(rig.scheduler.clock().wallMs()));
        }
        log.committedBound(log.end().offset());
        return log;
    }

    private double count(String name) {
        return registry.get(name).counter().count();
    }

    private double count(String name, String reason) {
        return registry.get(name).tag("reason", reason).counter().count();
    }

    /** Scenario 9, S36. Fails if: nothing is scheduled, or those who wait are not told. */
    @Test
    void shouldApplyRetentionToAllLogsAgainAndAgain() {
        // given
        SegmentedLog log = filled(3);

        // when
        rig.scheduler.advance(INTERVAL);
        rig.scheduler.advance(INTERVAL);
        assertThat(log.startOffset()).isZero();
        assertThat(moved).isEmpty();
        rig.scheduler.advance(INTERVAL);

        // then
        assertThat(log.startOffset()).isEqualTo(3);
        assertThat(moved).containsExactly(LogRig.PARTITION);
        assertThat(count("tidemark.log.retention.deleted.segments", "time")).isEqualTo(3);
        assertThat(count("tidemark.log.retention.deleted.bytes", "time"))
                .isEqualTo(3.0 * Batches.timed(0).remaining());
        assertThat(count("tidemark.log.retention.deleted.segments", "size")).isZero();
        assertThat(rig.failures).isEmpty();
    }

    /** Fails if: tend lets an exception of one log out, or takes a log that was deleted meanwhile for a failure. */
    @Test
    void shouldTendTheOthersWhenOneCannotBeTended() {
        // given
        SegmentedLog log = filled(2);
        troubled.add(failing(new IllegalStateException("a bug")));
        troubled.add(failing(new LogClosedException(LogRig.PARTITION)));

        // when
        rig.scheduler.advance(INTERVAL.multipliedBy(3));

        // then
        assertThat(log.startOffset()).isEqualTo(2);
        assertThat(count("tidemark.log.housekeeping.failures")).isEqualTo(3);
        assertThat(rig.failures).isEmpty();
    }

    /** DESIGN section 5. Fails if: a storage failure is logged and forgotten like any other. */
    @Test
    void shouldLetAStorageFailureOut() {
        troubled.add(failing(new KafkaStorageException("the disk is gone")));
        rig.scheduler.advance(INTERVAL);
        assertThat(rig.failures).hasSize(1).first().isInstanceOf(KafkaStorageException.class);
        assertThat(count("tidemark.log.housekeeping.failures")).isZero();
    }

    /** Fails if: close leaves the task scheduled. */
    @Test
    void shouldDoNothingOnceClosed() {
        SegmentedLog log = filled(2);
        int tasks = rig.scheduler.size();
        housekeeping.close();
        housekeeping.close();
        assertThat(rig.scheduler.size()).isEqualTo(tasks - 1);
        rig.scheduler.advance(INTERVAL.multipliedBy(3));
        assertThat(log.startOffset()).isZero();
    }

    /**
     * Silence is that of appends, whatever the records say of their time. Fails if: expiry goes by record times, which are old
     * here from the start.
     */
    @Test
    void shouldForgetProducersThatAreSilentForTooLong() {
        // given: records of the year 1970
        SegmentedLog log = rig.log();
        log.reconfigure(CONFIG.with(LogConfig.DEFAULTS.retention()).withSegmentBytes(1 << 20));
        log.becomeLeader(0);
        append(log, 0, stamped(7, 0));
        append(log, 0, stamped(8, 0));

        // when: one of them goes on
        for (int sequence = 1; sequence <= 20; sequence++) {
            rig.scheduler.advance(INTERVAL);
            append(log, 0, stamped(8, sequence));
        }

        // then
        assertThat(count("tidemark.log.producers.expired")).isEqualTo(1);
        assertThat(log.appendAsLeader(stamped(7, 1), 0))
                .isInstanceOfSatisfying(
                        AppendResult.Refused.class,
                        refused -> assertThat(refused.error()).isEqualTo(ErrorCode.UNKNOWN_PRODUCER_ID));
        assertThat(append(log, 0, stamped(7, 0)).firstOffset()).isEqualTo(22);
        assertThat(append(log, 0, stamped(7, 1)).firstOffset()).isEqualTo(23);
    }

    private static ByteBuffer stamped(long producerId, int sequence) {
        return Batches.of(new ProducerStamp(producerId, (short) 0, sequence), "v");
    }
}
