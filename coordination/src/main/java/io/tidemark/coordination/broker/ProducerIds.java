package io.tidemark.coordination.broker;

import io.tidemark.model.ErrorCode;
import io.tidemark.runtime.EventLoop;
import java.util.ArrayDeque;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Gives each producer an id that no other gets, from blocks that the controller hands out. Asynchronous: who comes while
 * a block is on its way waits, in order, in a queue that is bounded. Callable from any thread; answers on the loop.
 *
 * <p>The rest of a block is lost when the broker stops. Ids are never given twice.
 */
public final class ProducerIds {
    private final EventLoop loop;
    private final ControllerChannel controller;
    private final LongSupplier brokerEpoch;
    private final int maxWaiters;

    private final ArrayDeque<Consumer<Allocated>> waiters = new ArrayDeque<>();
    private long nextId;
    private long blockEnd;
    private boolean asking;

    /**
     * @param producerId the id if {@code error} is NONE, else -1
     */
    public record Allocated(ErrorCode error, long producerId) {
        private static final long NO_ID = -1;

        static Allocated failed(ErrorCode error) {
            return new Allocated(error, NO_ID);
        }
    }

    /**
     * @param brokerEpoch current epoch of this broker; read on the loop
     * @param maxWaiters how many may wait for a block; the next is told THROTTLED
     */
    public ProducerIds(EventLoop loop, ControllerChannel controller, LongSupplier brokerEpoch, int maxWaiters) {
        this.loop = loop;
        this.controller = controller;
        this.brokerEpoch = brokerEpoch;
        this.maxWaiters = maxWaiters;
    }

    /** Answers exactly once; with the controller's error if it gives no block, which the client retries. */
    public void allocate(Consumer<Allocated> answer) {
        loop.execute(() -> onAllocate(answer));
    }

    private void onAllocate(Consumer<Allocated> answer) {
        if (waiters.isEmpty() && nextId < blockEnd) {
            answer.accept(new Allocated(ErrorCode.NONE, nextId++));
        } else if (waiters.size() >= maxWaiters) {
            answer.accept(Allocated.failed(ErrorCode.THROTTLED));
        } else {
            waiters.add(answer);
            askForBlock();
        }
    }

    private void askForBlock() {
        if (!asking) {
            asking = true;
            controller.allocateProducerIds(brokerEpoch.getAsLong(), block -> loop.execute(() -> onBlock(block)));
        }
    }

    private void onBlock(ControllerChannel.ProducerIdsAnswer block) {
        asking = false;
        boolean usable = block.error() == ErrorCode.NONE && block.count() > 0 && block.first() >= 0;
        if (usable) {
            nextId = block.first();
            blockEnd = block.first() + block.count();
            serve();
        } else {
            failAll(block.error() == ErrorCode.NONE ? ErrorCode.UNKNOWN_SERVER_ERROR : block.error());
        }
    }

    private void serve() {
        while (nextId < blockEnd && !waiters.isEmpty()) {
            answerHead(new Allocated(ErrorCode.NONE, nextId++));
        }
        if (!waiters.isEmpty()) {
            askForBlock();
        }
    }

    private void failAll(ErrorCode error) {
        for (int open = waiters.size(); open > 0; open--) {
            answerHead(Allocated.failed(error));
        }
    }

    private void answerHead(Allocated allocated) {
        Consumer<Allocated> waiter = waiters.remove();
        // A task of its own: a waiter that fails takes nothing from the next.
        loop.execute(() -> waiter.accept(allocated));
    }
}
