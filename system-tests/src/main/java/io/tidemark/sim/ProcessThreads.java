package io.tidemark.sim;

import io.tidemark.runtime.Cancellable;
import io.tidemark.runtime.EventLoops;
import io.tidemark.runtime.Scheduler;
import java.time.Duration;

/** The scheduler and loops of one simulated process: nothing of it runs after its death. */
final class ProcessThreads implements Scheduler, EventLoops {
    private final Scheduler scheduler;
    private final EventLoops loops;
    private boolean alive = true;

    ProcessThreads(Scheduler scheduler, EventLoops loops) {
        this.scheduler = scheduler;
        this.loops = loops;
    }

    /** The process is dead: what is queued never runs. */
    void die() {
        alive = false;
    }

    boolean isAlive() {
        return alive;
    }

    /** The task, if the process still lives when it is due. */
    Runnable ifAlive(Runnable task) {
        return () -> {
            if (alive) {
                task.run();
            }
        };
    }

    @Override
    public Cancellable schedule(Duration delay, Runnable task) {
        return scheduler.schedule(delay, ifAlive(task));
    }

    @Override
    public Cancellable scheduleEvery(Duration period, Runnable task) {
        return scheduler.scheduleEvery(period, ifAlive(task));
    }

    @Override
    public Loop open(String name) {
        return new GuardedLoop(loops.open(name));
    }

    private final class GuardedLoop implements Loop {
        private final Loop loop;

        GuardedLoop(Loop loop) {
            this.loop = loop;
        }

        @Override
        public void execute(Runnable task) {
            loop.execute(ifAlive(task));
        }

        @Override
        public boolean inLoop() {
            return loop.inLoop();
        }

        @Override
        public Cancellable schedule(Duration delay, Runnable task) {
            return loop.schedule(delay, ifAlive(task));
        }

        @Override
        public Cancellable scheduleEvery(Duration period, Runnable task) {
            return loop.scheduleEvery(period, ifAlive(task));
        }

        @Override
        public void close() {
            loop.close();
        }
    }
}
