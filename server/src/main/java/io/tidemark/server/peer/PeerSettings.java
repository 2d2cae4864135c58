package io.tidemark.server.peer;

import io.tidemark.server.rpc.MessageLimits;
import java.time.Duration;

/**
 * How this broker talks to its peers.
 *
 * @param threads that move bytes of outgoing connections
 * @param messageMaxBytes of one received message, the same as on the peers' listener
 * @param flowControlWindowBytes of HTTP/2, per stream and connection
 * @param reconnectPause a broken connection is tried again after half of this to all of it, by chance
 * @param timeouts of calls
 */
public record PeerSettings(
        int threads, int messageMaxBytes, int flowControlWindowBytes, Duration reconnectPause, Timeouts timeouts) {
    /** How long a connection may be silent before it is asked whether it lives; less is not possible with gRPC. */
    static final Duration KEEPALIVE = Duration.ofSeconds(10);

    /** How long it then has to answer. */
    static final Duration KEEPALIVE_TIMEOUT = Duration.ofSeconds(5);

    /** A connection that nobody used for so long is closed. */
    static final Duration IDLE = Duration.ofMinutes(2);

    /**
     * How long answers are waited for.
     *
     * @param fetchMargin beyond a fetch's own wait
     * @param push until a push is repeated
     * @param identify of a broker whose node vanished
     * @param secondOpinion about a broker that may be dead
     * @param logEnds in a recovery election
     * @param controller for what a broker asks of the controller
     * @param controlledShutdown for the controller to move leaderships
     */
    public record Timeouts(
            Duration fetchMargin,
            Duration push,
            Duration identify,
            Duration secondOpinion,
            Duration logEnds,
            Duration controller,
            Duration controlledShutdown) {
        public static final Timeouts DEFAULTS = new Timeouts(
                Duration.ofSeconds(10),
                Duration.ofSeconds(30),
                Duration.ofSeconds(1),
                Duration.ofMillis(500),
                Duration.ofSeconds(5),
                Duration.ofSeconds(5),
                Duration.ofSeconds(30));
    }

    /** The usual settings; a peer may send whatever the peers' listener takes (KNOWN_BUGS 41). */
    public static PeerSettings of(MessageLimits limits) {
        return new PeerSettings(2, limits.peerMaxBytes(), 8 << 20, Duration.ofSeconds(1), Timeouts.DEFAULTS);
    }
}
