package io.tidemark.history;

/**
 * The process numbers of one thread of clients: after an operation with an unknown end the process never comes back, and
 * the thread goes on under the next number that is its own. Of one thread.
 */
public final class RecordedClient {
    private final HistoryRecorder recorder;
    private final int threads;
    private int process;

    /**
     * The thread's first process.
     *
     * @param thread from 0
     * @param threads how many there are
     */
    public RecordedClient(HistoryRecorder recorder, int thread, int threads) {
        if (thread < 0 || thread >= threads) {
            throw new IllegalArgumentException("thread " + thread + " of " + threads);
        }
        this.recorder = recorder;
        this.threads = threads;
        this.process = thread;
    }

    /** The number under which the next operation begins. */
    public int process() {
        return process;
    }

    /** An operation begins: before it can have any effect. */
    public void invoke(Action action) {
        recorder.record(Phase.INVOKE, process, action);
    }

    /** It happened. */
    public void ok(Action action) {
        recorder.record(Phase.OK, process, action);
    }

    /** It certainly did not happen. */
    public void fail(Action action, String error) {
        recorder.record(Phase.FAIL, process, action, error);
    }

    /** Nobody knows. Whoever calls opens a new client: this process is gone. */
    public void info(Action action, String error) {
        recorder.record(Phase.INFO, process, action, error);
        process = Math.addExact(process, threads);
    }
}
