package io.tidemark.core.config;

import io.tidemark.model.Endpoint;
import java.util.Optional;

/**
 * Where a server listens and what it tells others to connect to.
 *
 * @param bind address and port to listen at; port 0 takes a free one
 * @param advertised address for others; empty means the bound address with the port that was taken
 */
public record Listener(Endpoint bind, Optional<Endpoint> advertised) {
    /** What others connect to, once the port is known. */
    public Endpoint advertisedWith(int boundPort) {
        return advertised.orElseGet(() -> new Endpoint(bind.host(), boundPort));
    }
}
