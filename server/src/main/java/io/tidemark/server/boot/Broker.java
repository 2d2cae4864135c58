package io.tidemark.server.boot;

import io.tidemark.core.config.BrokerConfig;
import io.tidemark.core.io.DiskFiles;
import io.tidemark.core.io.Files;
import io.tidemark.core.runtime.KafkaStorageException;
import io.tidemark.core.runtime.Lifecycle;
import java.util.concurrent.CountDownLatch;
import java.util.function.IntConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One broker, put together. The start is a list of steps, the stop runs them backwards: listen first, then register;
 * hand leaders over and deregister, then close (DESIGN section 6).
 */
public final class Broker {
    private static final Logger LOG = LoggerFactory.getLogger(Broker.class);

    private final Lifecycle lifecycle;
    private final CountDownLatch stopped = new CountDownLatch(1);
    private final Rooms rooms;

    private Broker(Lifecycle lifecycle, Rooms rooms) {
        this.lifecycle = lifecycle;
        this.rooms = rooms;
    }

    /**
     * Starts a broker; returns when it listens, has its logs and is on its way to be registered.
     *
     * @param halt ends the process at once with a status, after a storage failure or a broken invariant
     */
    public static Broker start(BrokerConfig config, IntConsumer halt) throws StartFailure, InterruptedException {
        return start(config, new DiskFiles(), halt);
    }

    /**
     * The same over other files than the disk's: for what runs several brokers in one process and breaks their disks.
     *
     * @param disk below the faults and the metering that the configuration asks for
     */
    public static Broker start(BrokerConfig config, Files disk, IntConsumer halt)
            throws StartFailure, InterruptedException {
        Rooms rooms = new Rooms(config, disk, halt);
        Lifecycle lifecycle = new Lifecycle()
                .step("foundation", () -> {}, rooms::closeFoundation)
                .step("ZooKeeper session", rooms::openSession, rooms::closeSession)
                .step("log directories", rooms::openStorage, rooms::closeStorage)
                .step("replicas", rooms::openReplicas, rooms::closeReplicas)
                .step("scrubber", rooms::startScrubber, rooms::stopScrubber)
                .step("housekeeping", rooms::openHousekeeping, rooms::closeHousekeeping)
                .step("log cleaner", rooms::openCleaner, rooms::closeCleaner)
                .step("listeners", rooms::openDoors, rooms::closeDoors)
                .step("controller", rooms::startController, rooms::stopController)
                .step("registration", rooms::register, rooms::deregister)
                .step("leaderships", () -> {}, rooms::handOver);
        try {
            lifecycle.start();
        } catch (StartFailure | InterruptedException e) {
            throw e;
        } catch (KafkaStorageException e) {
            throw new StartFailure(ExitStatus.STORAGE_FAILURE, String.valueOf(e.getMessage()));
        } catch (Exception e) {
            LOG.error("the start failed", e);
            throw new StartFailure(ExitStatus.FAILED, "cannot start: " + e);
        }
        LOG.info("broker {} is started", config.brokerId());
        return new Broker(lifecycle, rooms);
    }

    /** Where clients can reach this broker; the port is the one that was taken. */
    public int clientPort() {
        return rooms.clientPort();
    }

    /** Where metrics and the status page are; the port is the one that was taken. */
    public int httpPort() {
        return rooms.httpPort();
    }

    /** Hands leaders over, deregisters, and closes everything; returns when that is done. Idempotent. */
    public synchronized void stop() {
        if (stopped.getCount() == 0) {
            return;
        }
        try {
            lifecycle.stop();
            LOG.info("the broker is stopped");
        } catch (Exception e) {
            LOG.error("the stop was not orderly", e);
        } finally {
            stopped.countDown();
        }
    }

    /** Waits for the end of {@link #stop}. */
    public void awaitStopped() throws InterruptedException {
        stopped.await();
    }
}
