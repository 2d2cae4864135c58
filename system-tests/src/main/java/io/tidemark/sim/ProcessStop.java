package io.tidemark.sim;

import io.tidemark.coordination.broker.ControllerChannel;
import io.tidemark.core.runtime.KafkaStorageException;
import io.tidemark.core.runtime.StorageFailureHandler;
import io.tidemark.model.ErrorCode;
import io.tidemark.runtime.EventLoops;
import java.time.Duration;

/**
 * The clean stop of a process, in the order of the real one (DESIGN section 6): leaders are handed over, the registration is taken
 * back, nobody is listened to any more, and everything is closed; the marker of a clean stop is written last. Stands for {@code
 * server.boot.HandOver} and the steps of {@code server.boot.Broker} backwards.
 */
final class ProcessStop {
    private static final int MAX_RETRIES = 3;
    private static final Duration RETRY_PAUSE = Duration.ofSeconds(5);
    private static final Duration CLEANER_LIMIT = Duration.ofSeconds(10);

    private final Parts parts;
    private final EventLoops.Loop loop;
    private final Stages stages;
    private boolean isCleanerOver;

    /** What is stopped. */
    record Parts(
            ProcessRooms rooms,
            ProcessController controller,
            ControllerChannel channel,
            ProcessStorage storage,
            SimZooKeeperClient zooKeeper,
            StorageFailureHandler storageFailures) {}

    /** What the process does on the way. */
    interface Stages {
        /** Clients are not served any more. */
        void refuseClients();

        /** Nobody is listened to any more. */
        void refuseAll();

        /** Everything is closed: the process ends. */
        void end();
    }

    /** @param loop for everything that waits */
    ProcessStop(Parts parts, EventLoops.Loop loop, Stages stages) {
        this.parts = parts;
        this.loop = loop;
        this.stages = stages;
    }

    void run() {
        if (parts.controller().isRegistered()) {
            handOver(0);
        } else {
            leave();
        }
    }

    private void handOver(int attempt) {
        parts.channel()
                .controlledShutdown(
                        parts.controller().brokerEpoch(), answer -> loop.execute(() -> onAnswer(attempt, answer)));
    }

    private void onAnswer(int attempt, ControllerChannel.ShutdownAnswer answer) {
        if (answer.error() == ErrorCode.NONE || attempt >= MAX_RETRIES) {
            leave();
        } else {
            loop.schedule(RETRY_PAUSE, () -> handOver(attempt + 1));
        }
    }

    private void leave() {
        stages.refuseClients();
        parts.controller().leave(this::closeCleaner);
    }

    private void closeCleaner() {
        stages.refuseAll();
        if (parts.rooms().cleaner().threads() == 0) {
            close();
            return;
        }
        loop.schedule(CLEANER_LIMIT, this::onCleanerOver);
        parts.rooms().cleaner().close(() -> loop.execute(this::onCleanerOver));
    }

    /** It has one thread; that or the limit comes first. */
    private void onCleanerOver() {
        if (!isCleanerOver) {
            isCleanerOver = true;
            close();
        }
    }

    private void close() {
        parts.rooms().housekeeping().close();
        parts.rooms().scrubber().close();
        parts.rooms().replication().fetchers().close();
        parts.rooms().replication().replicas().shutdown();
        try {
            parts.storage().close();
        } catch (KafkaStorageException e) {
            parts.storageFailures().onStorageFailure(e);
        }
        parts.zooKeeper().close();
        stages.end();
    }
}
