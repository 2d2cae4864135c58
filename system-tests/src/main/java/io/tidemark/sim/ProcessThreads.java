package io.tidemark.sim;

import io.tidemark.core.testkit.SeededRandomness;
import io.tidemark.runtime.Cancellable;
import io.tidemark.runtime.Clock;
import io.tidemark.runtime.EventLoops;
import io.tidemark.runtime.Scheduler;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The threads and the clock of one simulated process, a broker's or a client's. Everything that the process does runs through
 * here, so that it can die, stop in its tracks, and live by a clock of its own.
 *
 * <p>After its death nothing of it runs. While it is paused its tasks, timers and the messages that reach it wait; then they run
 * in the order in which they came, and it finds that time has passed.
 */
public final class ProcessThreads implements Scheduler, EventLoops {
    private final SimWorld world;
    private final int id;
    private final String part;
    private final SeededRandomness randomness;
    private final ProcessClock clock;
    private final ArrayDeque<Runnable> waiting = new ArrayDeque<>();
    private State state = State.RUNNING;
    private boolean inTask;
    private Consumer<RuntimeException> failures = failure -> {
        throw failure;
    };

    private enum State {
        RUNNING,
        PAUSED,
        DEAD
    }

    /**
     * @param id of its host on the network
     * @param part names this life of the process among all parts of the run, such as {@code process/1/3}: its randomness follows
     *     from it
     */
    public ProcessThreads(SimWorld world, int id, String part) {
        this.world = world;
        this.id = id;
        this.part = part;
        this.randomness = world.fork(part);
        this.clock = new ProcessClock(world.clock());
    }

    /** Its host on the network. */
    public int id() {
        return id;
    }

    /** Chance, as this process draws it. */
    public SeededRandomness randomness() {
        return randomness;
    }

    /** Time, as this process sees it. */
    public Clock clock() {
        return clock;
    }

    /** The process is dead: what is queued never runs. */
    public void die() {
        state = State.DEAD;
        waiting.clear();
    }

    public boolean isAlive() {
        return state != State.DEAD;
    }

    public boolean isPaused() {
        return state == State.PAUSED;
    }

    /** Stops it in its tracks, as SIGSTOP does. */
    public void pause() {
        if (state == State.RUNNING) {
            state = State.PAUSED;
        }
    }

    /** It goes on, behind what is queued at this moment. */
    public void resume() {
        if (state == State.PAUSED) {
            state = State.RUNNING;
            List<Runnable> parked = List.copyOf(waiting);
            waiting.clear();
            parked.forEach(Runnable::run);
        }
    }

    /** Whether what runs at this moment is a task of this process; what looks at it from outside is none. */
    boolean isInTask() {
        return inTask;
    }

    /** Who is told of what escapes a task; until this is called, and if it throws, the run ends with it. */
    void onTaskFailure(Consumer<RuntimeException> handler) {
        failures = handler;
    }

    /** From now on its clock is faster by so many millionths, or slower; timers follow the clock. */
    public void driftPpm(int ppm) {
        clock.driftPpm(ppm);
    }

    /** Moves the hand of its wall clock. */
    public void jumpWall(Duration by) {
        clock.jumpWall(by);
    }

    /** Something reaches the process: it runs now, when the pause is over, or never. */
    public void enter(Runnable task) {
        switch (state) {
            case RUNNING -> run(task);
            case PAUSED -> waiting.add(() -> world.scheduler().schedule(Duration.ZERO, () -> enter(task)));
            case DEAD -> {}
        }
    }

    private void run(Runnable task) {
        boolean outer = inTask;
        inTask = true;
        try {
            runReporting(task);
        } catch (ProcessEnd end) {
            // A task that runs inside another one of the process takes that with it.
            if (outer || end.process() != this) {
                throw end;
            }
        } finally {
            inTask = outer;
        }
    }

    private void runReporting(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException failure) {
            failures.accept(failure);
        }
    }

    @Override
    public Cancellable schedule(Duration delay, Runnable task) {
        return start(null, delay, 0, task);
    }

    @Override
    public Cancellable scheduleEvery(Duration period, Runnable task) {
        return start(null, period, period.toNanos(), task);
    }

    @Override
    public Loop open(String name) {
        return new ProcessLoop(world.loops().open(name));
    }

    private Cancellable start(@Nullable ProcessLoop loop, Duration delay, long periodNs, Runnable task) {
        long nowNs = clock.monotonicNs();
        long sumNs = nowNs + Math.max(0, delay.toNanos());
        Timer timer = new Timer(loop, sumNs < nowNs ? Long.MAX_VALUE : sumNs, periodNs, task);
        timer.arm();
        return timer;
    }

    @Override
    public String toString() {
        return part;
    }

    /** A timer by the process's clock: never early, also if the clock has become slower meanwhile. */
    private final class Timer implements Cancellable {
        private final @Nullable ProcessLoop loop;
        private final long periodNs;
        private final Runnable task;
        private long dueNs;
        private boolean cancelled;
        private Cancellable armed = () -> {};

        Timer(@Nullable ProcessLoop loop, long dueNs, long periodNs, Runnable task) {
            this.loop = loop;
            this.dueNs = dueNs;
            this.periodNs = periodNs;
            this.task = task;
        }

        void arm() {
            armed = world.scheduler().schedule(Duration.ofNanos(clock.worldDelayNs(dueNs)), this::fire);
        }

        private void fire() {
            if (cancelled || state == State.DEAD || (loop != null && loop.closed)) {
                return;
            }
            if (state == State.PAUSED) {
                waiting.add(this::arm);
            } else if (clock.monotonicNs() < dueNs) {
                arm();
            } else {
                strike();
            }
        }

        private void strike() {
            if (periodNs > 0) {
                dueNs += periodNs;
                arm();
            }
            if (loop == null) {
                run(task);
            } else {
                loop.execute(this::runUnlessCancelled);
            }
        }

        private void runUnlessCancelled() {
            if (!cancelled) {
                task.run();
            }
        }

        @Override
        public void cancel() {
            cancelled = true;
            armed.cancel();
        }
    }

    private final class ProcessLoop implements Loop {
        private final Loop loop;
        private boolean closed;

        ProcessLoop(Loop loop) {
            this.loop = loop;
        }

        @Override
        public void execute(Runnable task) {
            loop.execute(() -> runHere(task));
        }

        private void runHere(Runnable task) {
            switch (state) {
                case RUNNING -> run(task);
                case PAUSED -> waiting.add(() -> execute(task));
                case DEAD -> {}
            }
        }

        @Override
        public boolean inLoop() {
            return loop.inLoop();
        }

        @Override
        public Cancellable schedule(Duration delay, Runnable task) {
            return start(this, delay, 0, task);
        }

        @Override
        public Cancellable scheduleEvery(Duration period, Runnable task) {
            return start(this, period, period.toNanos(), task);
        }

        @Override
        public void close() {
            closed = true;
            loop.close();
        }
    }
}
