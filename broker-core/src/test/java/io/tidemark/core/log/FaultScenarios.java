package io.tidemark.core.log;

import io.tidemark.core.checkpoint.OffsetCheckpointFile;
import io.tidemark.core.config.FlushConfig;
import io.tidemark.core.config.FlushMode;
import io.tidemark.core.config.RetentionConfig;
import io.tidemark.core.log.FaultSweep.Scenario;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** What a broker does with a log, in so many stories that every file operation of a log occurs in one of them. */
final class FaultScenarios {
    private static final Duration A_SECOND = Duration.ofSeconds(1);
    private static final Duration DELETED =
            SweptLog.CONFIG.retention().deleteDelay().plusMillis(1);
    private static final int LARGE_SEGMENT_BYTES = 700;

    static final List<Scenario> ALL = List.of(
            new Scenario("append, roll, force", log -> {
                log.append(4);
                log.force();
                log.appendTogether(5);
                log.read();
                log.pass(Duration.ZERO);
                log.append(1);
            }),
            new Scenario("truncate inside and append again", log -> {
                log.append(6);
                log.force();
                log.truncate(5);
                log.append(3);
                log.force();
                log.truncate(0);
                log.append(1);
                log.read();
            }),
            new Scenario("start again, above and below", log -> {
                log.append(4);
                log.force();
                log.startAgain(100);
                log.append(2);
                log.force();
                log.advanceStart(102);
                log.pass(LogRig.RECORDING_PERIOD);
                log.truncate(50);
                log.append(2);
                log.force();
                log.restartAfterKill();
                log.read();
            }),
            new Scenario("delete records and records of them", log -> {
                log.append(6);
                log.force();
                log.advanceStart(7);
                log.pass(LogRig.RECORDING_PERIOD);
                log.restartAfterKill();
                log.read();
                log.append(2);
                log.advanceStart(12);
                log.restartCleanly();
                log.read();
            }),
            new Scenario("stop cleanly and start", log -> {
                log.append(5);
                log.restartCleanly();
                log.append(2);
                log.restartCleanly();
                log.read();
            }),
            new Scenario("copy from a leader, with gaps", log -> {
                log.copy(3);
                log.copy(9);
                log.append(3);
                log.truncate(7);
                log.force();
                log.copy(20);
                log.restartAfterKill();
                log.read();
            }),
            new Scenario("take a batch that begins below the start", log -> {
                log.startAgain(10);
                log.copy(9);
                log.force();
                log.append(2);
                log.read();
            }),
            new Scenario("delete and create", log -> {
                log.append(4);
                log.force();
                log.createAnother();
                log.recreate();
                log.append(1);
                log.recreate();
                log.append(1);
                log.force();
                log.pass(DELETED);
                log.restartAfterKill();
                log.read();
            }),
            new Scenario("delayed deletion", log -> {
                log.append(5);
                log.force();
                log.truncate(1);
                log.pass(DELETED);
                log.append(1);
                log.truncate(0);
                log.leave("00000000000000000099.snapshot.tmp");
                log.restartAfterKill();
                log.read();
            }),
            new Scenario("keep the last of each key, in fewer segments", log -> {
                log.compact(LARGE_SEGMENT_BYTES);
                log.appendKeyed(8);
                log.clean();
                log.read();
                log.appendKeyed(8);
                log.clean();
                log.pass(DELETED);
                log.restartAfterKill();
                log.read();
            }),
            new Scenario("clean again after a cut and a stop", log -> {
                log.compact(SweptLog.CONFIG.segments().bytes());
                log.appendKeyed(6);
                log.clean();
                log.truncate(4);
                log.appendKeyed(4);
                log.restartCleanly();
                log.clean();
                log.read();
            }),
            new Scenario("delete by size, and everything", log -> {
                log.append(8);
                log.force();
                log.retain(500);
                log.read();
                log.append(1);
                log.retain(0);
                log.append(1);
                log.pass(DELETED);
                log.restartAfterKill();
                log.read();
            }),
            new Scenario("delete below the start offset", log -> {
                log.append(6);
                log.force();
                log.advanceStart(7);
                log.retain(RetentionConfig.UNLIMITED);
                log.restartCleanly();
                log.append(2);
                log.advanceStart(13);
                log.retain(RetentionConfig.UNLIMITED);
                log.restartAfterKill();
                log.read();
            }),
            new Scenario("force in the background", log -> {
                log.flush(FlushConfig.DEFAULTS.withMode(FlushMode.SYNC));
                log.append(3);
                log.flushed(Duration.ZERO);
                log.appendTogether(4);
                log.flushed(Duration.ZERO);
                log.truncate(9);
                log.flushed(Duration.ZERO);
                log.flush(FlushConfig.DEFAULTS.withEvery(2, Optional.empty()));
                log.append(2);
                log.flushed(Duration.ZERO);
                log.flush(FlushConfig.DEFAULTS.withEvery(Long.MAX_VALUE, Optional.of(A_SECOND)));
                log.append(1);
                log.flushed(A_SECOND);
                log.restartAfterKill();
                log.read();
            }),
            new Scenario("look up by time", log -> {
                log.append(6);
                log.search();
                log.truncate(5);
                log.append(2);
                log.search();
                log.force();
                log.restartCleanly();
                log.search();
                log.append(3);
                log.restartAfterKill();
                log.search();
            }),
            new Scenario("know producers again", log -> {
                log.appendOfProducer(6);
                log.force();
                log.repeat();
                log.pass(LogRig.RECORDING_PERIOD);
                log.truncate(7);
                log.repeat();
                log.appendOfProducer(1);
                log.restartAfterKill();
                log.repeat();
                log.appendOfProducer(3);
                log.restartCleanly();
                log.repeat();
                log.truncate(1);
                log.appendOfProducer(1);
                log.repeat();
            }),
            new Scenario("record where logs are durable and start", log -> {
                log.createAnother();
                log.append(5);
                log.pass(LogRig.RECORDING_PERIOD);
                log.force();
                log.advanceStart(3);
                log.pass(LogRig.RECORDING_PERIOD);
                log.truncate(2);
                log.append(4);
                log.force();
                log.pass(LogRig.RECORDING_PERIOD);
                log.restartAfterKill();
                log.read();
                log.restartCleanly();
                log.read();
            }),
            new Scenario("start with damaged checkpoints", log -> {
                log.append(5);
                log.force();
                log.advanceStart(2);
                log.pass(LogRig.RECORDING_PERIOD);
                log.damage(OffsetCheckpointFile.Kind.RECOVERY_POINT);
                log.damage(OffsetCheckpointFile.Kind.LOG_START);
                log.damage(OffsetCheckpointFile.Kind.CLEANER);
                log.restartAfterKill();
                log.read();
                log.append(1);
                log.pass(LogRig.RECORDING_PERIOD);
            }));

    private FaultScenarios() {}
}
