package io.tidemark.sim;

import io.tidemark.runtime.Clock;
import io.tidemark.runtime.Randomness;
import io.tidemark.runtime.Scheduler;
import java.time.Duration;
import java.util.ArrayDeque;

/**
 * One direction of a client's connection: messages arrive in order, each after a delay. While it is cut they wait, as TCP
 * sends them again; what they mean by then is for the receiver to judge.
 */
final class SimZooKeeperLink {
    private final Clock clock;
    private final Scheduler scheduler;
    private final Randomness randomness;
    private final SimZooKeeper.Settings settings;
    private long lastArrivalNs;
    private final ArrayDeque<Runnable> waiting = new ArrayDeque<>();
    private boolean cut;

    SimZooKeeperLink(Clock clock, Scheduler scheduler, Randomness randomness, SimZooKeeper.Settings settings) {
        this.clock = clock;
        this.scheduler = scheduler;
        this.randomness = randomness;
        this.settings = settings;
    }

    void send(Runnable message) {
        long nowNs = clock.monotonicNs();
        long spreadNs = settings.maxDelay().minus(settings.minDelay()).toNanos();
        long delayNs = settings.minDelay().toNanos() + (spreadNs * randomness.nextInt(1_001)) / 1_000;
        lastArrivalNs = Math.max(lastArrivalNs, nowNs + delayNs);
        scheduler.schedule(Duration.ofNanos(lastArrivalNs - nowNs), () -> {
            waiting.add(message);
            flush();
        });
    }

    void cut() {
        cut = true;
    }

    void heal() {
        cut = false;
        scheduler.schedule(settings.maxDelay(), this::flush);
    }

    private void flush() {
        while (!cut && !waiting.isEmpty()) {
            waiting.remove().run();
        }
    }
}
