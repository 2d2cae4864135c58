package io.tidemark.client.net;

import java.util.List;
import java.util.function.Consumer;

/**
 * Fetches of one reader to one broker: a stream of its own, on which no other reader's long wait stands in the way. Nothing
 * blocks or throws; each answer is given exactly once, on any thread.
 */
public interface FetchLane extends AutoCloseable {
    void fetch(Wire.FetchCall call, Consumer<Reply<List<Wire.FetchResult>>> answer);

    /** Fails what is open, which the broker then calls off. Idempotent. */
    @Override
    void close();
}
