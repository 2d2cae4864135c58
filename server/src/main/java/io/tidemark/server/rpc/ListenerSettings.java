package io.tidemark.server.rpc;

import io.tidemark.model.Endpoint;
import java.time.Duration;

/**
 * How the two listeners are set up.
 *
 * @param clients where clients connect; port 0 takes a free one
 * @param peers where brokers and the controller connect; port 0 takes a free one
 * @param limits of messages
 * @param clientThreads that move clients' bytes and run their handlers
 * @param peerThreads the same for peers
 * @param flowControlWindowBytes of HTTP/2, per stream and connection
 */
public record ListenerSettings(
        Endpoint clients,
        Endpoint peers,
        MessageLimits limits,
        int clientThreads,
        int peerThreads,
        int flowControlWindowBytes) {
    /** Above this a fixed window made no difference that could be measured. */
    public static final int DEFAULT_WINDOW_BYTES = 8 << 20;

    /** How long a connection may be silent before it is asked whether it lives. */
    static final Duration KEEPALIVE = Duration.ofSeconds(30);

    /** How long it then has to answer. */
    static final Duration KEEPALIVE_TIMEOUT = Duration.ofSeconds(10);

    /** How often the other side may ask. */
    static final Duration KEEPALIVE_PERMITTED = Duration.ofSeconds(5);

    /** Two threads each, and the default window. */
    public static ListenerSettings of(Endpoint clients, Endpoint peers, MessageLimits limits) {
        return new ListenerSettings(clients, peers, limits, 2, 2, DEFAULT_WINDOW_BYTES);
    }
}
