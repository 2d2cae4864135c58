package io.tidemark.server.rpc;

import io.grpc.StatusRuntimeException;
import org.jspecify.annotations.Nullable;

/** A long-lived stream, as a stop sees it. */
interface OpenStream {
    /** Ends the stream, when what it took is answered; reads nothing more until then. Idempotent, on any thread. */
    void finish(@Nullable StatusRuntimeException error);
}
