package io.tidemark.checker;

import io.tidemark.history.Action.Start;
import io.tidemark.history.Operation;
import org.jspecify.annotations.Nullable;

/**
 * What one consumer was given of one key, from one place on: until it was told to read elsewhere, lost the key, or lost its
 * position. Only what polls that ended ok returned.
 */
final class ConsumerSession {
    private final KeyLog log;
    private final int process;
    private final Start start;
    private final @Nullable Operation assignment;
    private final IntList operations = new IntList();
    private final IntList ranks = new IntList();
    private final IntList ids = new IntList();
    private boolean isInterrupted;

    /** A session that begins with an assignment, or with a first poll without one. */
    ConsumerSession(KeyLog log, int process, Start start, @Nullable Operation assignment) {
        this.log = log;
        this.process = process;
        this.start = start;
        this.assignment = assignment;
    }

    void given(int operation, long offset, long value) {
        int hint = ranks.isEmpty() ? 0 : ranks.last() + 1;
        operations.add(operation);
        ranks.add(log.rankOf(offset, hint));
        ids.add(log.id(value));
    }

    /** What the consumer was given last is not known. */
    void interrupt() {
        isInterrupted = true;
    }

    /** Whether it was to read everything, after all was healed, and was not interrupted. */
    boolean isFinalRead() {
        return start == Start.FINAL_READ && assignment != null && assignment.isOk() && !isInterrupted;
    }

    KeyLog log() {
        return log;
    }

    int process() {
        return process;
    }

    Start start() {
        return start;
    }

    @Nullable Operation assignment() {
        return assignment;
    }

    /** How many records it was given. */
    int size() {
        return ranks.size();
    }

    /** The number of the operation that returned the {@code i}-th record. */
    int operation(int i) {
        return operations.get(i);
    }

    /** The rank of the {@code i}-th record's offset. */
    int rank(int i) {
        return ranks.get(i);
    }

    /** The id of the {@code i}-th record's value. */
    int id(int i) {
        return ids.get(i);
    }
}
