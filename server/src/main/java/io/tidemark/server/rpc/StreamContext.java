package io.tidemark.server.rpc;

import java.util.function.BooleanSupplier;

/**
 * What the services of one listener share.
 *
 * @param streams of the listener
 * @param budget of memory for requests; produce charges it
 * @param meters of requests
 * @param storageFailed whether this broker met a storage failure: then its long-lived streams send no further answer (S15)
 */
public record StreamContext(
        OpenStreams streams, InFlightBytes budget, RequestMeters meters, BooleanSupplier storageFailed) {
    /** For streams that acknowledge nothing, and that may have to carry the news of a storage failure. */
    public StreamContext(OpenStreams streams, InFlightBytes budget, RequestMeters meters) {
        this(streams, budget, meters, () -> false);
    }
}
