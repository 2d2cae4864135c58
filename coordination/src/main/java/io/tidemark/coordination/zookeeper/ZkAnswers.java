package io.tidemark.coordination.zookeeper;

import io.tidemark.coordination.zookeeper.ZkResult.Kind;
import java.util.ArrayDeque;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Gives answers in the order of the questions, each exactly once. Confined to one loop. */
final class ZkAnswers {
    private final ArrayDeque<Slot<?>> outstanding = new ArrayDeque<>();

    /** The place of one answer. */
    static final class Slot<T> {
        private final Consumer<ZkResult<T>> answer;
        private @Nullable ZkResult<T> result;

        private Slot(Consumer<ZkResult<T>> answer) {
            this.answer = answer;
        }

        private void deliver() {
            if (result != null) {
                answer.accept(result);
            }
        }
    }

    /** A place behind all others. */
    <T> Slot<T> open(Consumer<ZkResult<T>> answer) {
        Slot<T> slot = new Slot<>(answer);
        outstanding.add(slot);
        return slot;
    }

    /** Notes a result, unless there is one already, and gives all answers that are due. */
    <T> void complete(Slot<T> slot, ZkResult<T> result) {
        if (slot.result == null) {
            slot.result = result;
        }
        drain();
    }

    /** Answers everything that is outstanding with {@code kind}. */
    void failAll(Kind kind) {
        for (Slot<?> slot : outstanding) {
            fail(slot, kind);
        }
        drain();
    }

    private static <T> void fail(Slot<T> slot, Kind kind) {
        if (slot.result == null) {
            slot.result = ZkResult.failed(kind);
        }
    }

    private void drain() {
        Slot<?> head = outstanding.peek();
        while (head != null && head.result != null) {
            outstanding.remove();
            boolean delivered = false;
            try {
                head.deliver();
                delivered = true;
            } finally {
                if (!delivered) {
                    // One caller's bug must not keep the others from their answers.
                    drain();
                }
            }
            head = outstanding.peek();
        }
    }
}
