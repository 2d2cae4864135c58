package io.tidemark.core.log.cleaner;

import io.tidemark.core.runtime.KafkaStorageException;
import io.tidemark.core.runtime.StorageFailureHandler;
import io.tidemark.runtime.EventLoops;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One thread of the cleaner: takes the next piece of work from the board, does it step by step on its loop and rests in between as
 * the throttle says; sleeps when there is none (S74). Lives through everything but an {@link Error} (KAFKA-7215).
 */
final class CleanerThread {
    private static final Logger LOG = LoggerFactory.getLogger(CleanerThread.class);

    private final EventLoops.Loop loop;
    private final CleanerBoard board;
    private final IoThrottle throttle;
    private final CleaningTools tools;
    private final Duration backoff;
    private final StorageFailureHandler storageFailures;
    private @Nullable CleanerWork work;
    private volatile boolean closed;
    private volatile boolean dead;

    /** What all threads of a cleaner share. */
    record Shared(CleanerBoard board, IoThrottle throttle, Duration backoff, StorageFailureHandler storageFailures) {}

    CleanerThread(EventLoops.Loop loop, Shared shared, CleaningTools tools) {
        this.loop = loop;
        this.board = shared.board();
        this.throttle = shared.throttle();
        this.backoff = shared.backoff();
        this.storageFailures = shared.storageFailures();
        this.tools = tools;
    }

    void start() {
        loop.execute(this::run);
    }

    /** Ends behind the present step; then {@code ended} is run, unless the loop dies first. */
    void close(Runnable ended) {
        closed = true;
        loop.execute(() -> {
            CleanerWork unfinished = work;
            work = null;
            if (unfinished != null) {
                unfinished.abandon();
            }
            loop.close();
            ended.run();
        });
    }

    /** Whether it will never clean again though nobody closed it. */
    boolean isDead() {
        return dead;
    }

    private void run() {
        if (closed) {
            return;
        }
        boolean survives = false;
        try {
            CleanerWork current = work;
            Duration rest = current == null ? take() : advance(current);
            loop.schedule(rest, this::run);
            survives = true;
        } finally {
            // Only an Error ends it: whoever runs the loop hears of it, and others see it here.
            dead = !survives;
        }
    }

    private Duration take() {
        try {
            Optional<CleanerWork> next = board.next(tools);
            work = next.orElse(null);
            return next.isPresent() ? Duration.ZERO : backoff;
        } catch (KafkaStorageException e) {
            storageFailures.onStorageFailure(e);
        } catch (RuntimeException e) {
            LOG.error("the cleaner could not look for what to clean; it tries again in {} ms", backoff.toMillis(), e);
        }
        return backoff;
    }

    /** Does one step; answers when to do the next. */
    private Duration advance(CleanerWork current) {
        try {
            CleanerWork.Progress progress = current.step();
            Duration rest = throttle.charge(progress.movedBytes());
            return progress.outcome() == Outcome.MORE ? rest : end(current, progress.outcome(), rest);
        } catch (KafkaStorageException e) {
            storageFailures.onStorageFailure(e);
            failed(current, e);
        } catch (IOException e) {
            if (current.target().log().isClosed()) {
                return end(current, Outcome.ABORTED, backoff);
            }
            KafkaStorageException failure = new KafkaStorageException(
                    "clean", current.target().log().space().directory(), e);
            storageFailures.onStorageFailure(failure);
            failed(current, failure);
        } catch (RuntimeException e) {
            if (isOvertaken(current)) {
                return end(current, Outcome.ABORTED, backoff);
            }
            failed(current, e);
        }
        return Duration.ZERO;
    }

    /** Whether the log was closed or cut under the work, which then read what nobody else reads. */
    private static boolean isOvertaken(CleanerWork current) {
        CleanableLog log = current.target().log();
        return log.isClosed() || log.truncations() != current.truncations();
    }

    private Duration end(CleanerWork ended, Outcome outcome, Duration rest) {
        work = null;
        if (outcome == Outcome.ABORTED) {
            ended.abandon();
        }
        board.done(ended, outcome);
        return outcome == Outcome.ABORTED ? backoff : rest;
    }

    private void failed(CleanerWork failed, RuntimeException cause) {
        work = null;
        failed.abandon();
        board.failed(failed, cause);
    }
}
