package io.tidemark.sim.client;

import io.tidemark.client.net.ClientRuntime;
import io.tidemark.runtime.Cancellable;
import io.tidemark.runtime.EventLoops;
import io.tidemark.sim.ProcessThreads;
import java.time.Duration;

/**
 * A client's process from its start to its death. Producers and consumers that run on it are never closed, since that would block
 * the one thread of the simulator: they end with it.
 */
final class ClientLife {
    private final ClientSite site;
    private final ProcessThreads threads;
    private final EventLoops.Loop loop;

    /** @param number tells the lives of one client apart, each with a randomness of its own */
    ClientLife(ClientSite site, int clientId, int number) {
        this.site = site;
        this.threads = new ProcessThreads(site.world(), clientId, "client/" + clientId + "/" + number);
        this.loop = threads.open("client-" + clientId);
    }

    /** What a producer or a consumer runs on. */
    ClientRuntime runtime() {
        return new ClientRuntime(loop, threads.clock(), threads.randomness());
    }

    /** How they reach brokers. */
    SimClientTransport transport() {
        return new SimClientTransport(site, threads);
    }

    /** Runs the task in this process, later in this moment. */
    void soon(Runnable task) {
        loop.execute(task);
    }

    /** Runs the task in this process. */
    Cancellable after(Duration delay, Runnable task) {
        return loop.schedule(delay, task);
    }

    /** Nothing of it runs any more, and no answer reaches it. Idempotent. */
    void die() {
        if (threads.isAlive()) {
            threads.die();
            loop.close();
            site.network().processEnded(threads);
        }
    }
}
