package io.tidemark.server.rpc;

import io.tidemark.runtime.Cancellable;
import java.util.function.Consumer;

/** Writes single records wherever their leaders are. Never blocks. */
@FunctionalInterface
public interface PublishPort {
    /**
     * Publications of one caller keep their order in each partition.
     *
     * @param answer given exactly once, on any thread, maybe before this returns. Who gets a refusal with THROTTLED before may
     *     publish the same record again, and has kept the order; one that comes later is a failure as any other
     * @return for a caller that is gone: {@code answer} is then not called, and what the record holds is released, at the
     *     latest when the batch that it shares with others is answered
     */
    Cancellable publish(Plain.Publication publication, Consumer<Plain.Outcome> answer);
}
