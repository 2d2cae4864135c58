package io.tidemark.server.rpc;

import io.grpc.netty.shaded.io.netty.util.concurrent.EventExecutor;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/**
 * Puts work off to the end of the pass of the listener's loop that asks for it (DESIGN section 5): after everything that was
 * ready to be read has been handled, and before the loop waits for more. What one read brings thus costs its followers one
 * exchange, and a single message is not held up. On any other thread the work is done at once.
 *
 * <p>Thread-safe. Nothing is lost when a loop ends: it first does what it has taken, and what it does not take any more is
 * done at once.
 */
public final class LoopPasses implements Executor {
    private final List<EventExecutor> loops = new CopyOnWriteArrayList<>();

    /** The loops of {@code threads} are among those that collect from now on. */
    void add(NettyLoops threads) {
        threads.group().forEach(loops::add);
    }

    /** The caller sees to it that the same work is not given twice in one pass. */
    @Override
    public void execute(Runnable work) {
        for (EventExecutor loop : loops) {
            if (loop.inEventLoop()) {
                endOfPass(loop, work);
                return;
            }
        }
        work.run();
    }

    /** A loop turns to its tasks when it has handled what was ready. */
    private static void endOfPass(EventExecutor loop, Runnable work) {
        try {
            loop.execute(work);
        } catch (RejectedExecutionException e) {
            work.run();
        }
    }
}
