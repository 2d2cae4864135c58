package io.tidemark.sim;

import io.tidemark.runtime.Clock;
import io.tidemark.runtime.Randomness;
import io.tidemark.runtime.Scheduler;
import java.time.Duration;

/** One direction of a client's connection: messages arrive in order, each after a delay, or not at all while it is cut. */
final class SimZooKeeperLink {
    private final Clock clock;
    private final Scheduler scheduler;
    private final Randomness randomness;
    private final SimZooKeeper.Settings settings;
    private long lastArrivalNs;
    private boolean cut;

    SimZooKeeperLink(Clock clock, Scheduler scheduler, Randomness randomness, SimZooKeeper.Settings settings) {
        this.clock = clock;
        this.scheduler = scheduler;
        this.randomness = randomness;
        this.settings = settings;
    }

    /** Sends a message; it is lost if the link is cut when it would arrive. */
    void send(Runnable arrival) {
        long nowNs = clock.monotonicNs();
        long spreadNs = settings.maxDelay().minus(settings.minDelay()).toNanos();
        long delayNs = settings.minDelay().toNanos() + (spreadNs * randomness.nextInt(1_001)) / 1_000;
        lastArrivalNs = Math.max(lastArrivalNs, nowNs + delayNs);
        scheduler.schedule(Duration.ofNanos(lastArrivalNs - nowNs), () -> {
            if (!cut) {
                arrival.run();
            }
        });
    }

    void cut() {
        cut = true;
    }

    void heal() {
        cut = false;
    }
}
