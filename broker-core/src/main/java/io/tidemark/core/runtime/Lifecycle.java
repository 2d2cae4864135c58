package io.tidemark.core.runtime;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The steps of a start in their order, each with its mirror image: a stop runs them backwards, so that the two orders
 * cannot drift apart. For one thread.
 *
 * <p>A step that fails to start ends the start: what had started before it is stopped again, and its failure is thrown.
 * A stop goes through to the end whatever fails, then throws the first failure with the others suppressed in it.
 */
public final class Lifecycle {
    private static final Logger LOG = LoggerFactory.getLogger(Lifecycle.class);

    /** Half of a step. */
    @FunctionalInterface
    public interface Action {
        void run() throws Exception;
    }

    private record Step(String name, Action start, Action stop) {}

    private final List<Step> steps = new ArrayList<>();
    private final Deque<Step> started = new ArrayDeque<>();
    private boolean running;

    /** Adds a step at the end; {@code name} completes the sentence "starting ...". */
    public Lifecycle step(String name, Action start, Action stop) {
        Invariant.check(!running, "steps are added before the start");
        steps.add(new Step(name, start, stop));
        return this;
    }

    /** Adds a step that leaves nothing to stop. */
    public Lifecycle step(String name, Action start) {
        return step(name, start, () -> {});
    }

    /** Runs the steps in order; throws what the first failing one threw, after everything before it was stopped. */
    public void start() throws Exception {
        Invariant.check(!running, "started once");
        running = true;
        for (Step step : steps) {
            LOG.info("starting {}", step.name);
            try {
                step.start.run();
            } catch (Exception | Error failure) {
                LOG.error("starting {} failed: {}", step.name, failure.toString());
                stopStarted(failure);
                throw failure;
            }
            started.push(step);
        }
    }

    /** Stops what has started, last first. Does nothing the second time. */
    public void stop() throws Exception {
        Throwable failure = stopStarted(null);
        if (failure instanceof Error error) {
            throw error;
        }
        if (failure instanceof Exception exception) {
            throw exception;
        }
    }

    private @Nullable Throwable stopStarted(@Nullable Throwable cause) {
        Throwable first = cause;
        while (!started.isEmpty()) {
            Step step = started.pop();
            LOG.info("stopping {}", step.name);
            try {
                step.stop.run();
            } catch (Exception | Error failure) {
                LOG.error("stopping {} failed", step.name, failure);
                if (first == null) {
                    first = failure;
                } else if (first != failure) {
                    first.addSuppressed(failure);
                }
            }
        }
        return first;
    }
}
