package io.tidemark.server.rpc;

/**
 * What one stream may hold: at either bound its next request is not read.
 *
 * @param maxOpenRequests received and not yet answered on the wire; so many answers may be queued at most
 * @param maxQueuedBytes of answers that the transport does not take yet
 */
record StreamBounds(int maxOpenRequests, long maxQueuedBytes) {
    /** Many small answers, most of which wait for replicas. */
    static final StreamBounds PRODUCE = new StreamBounds(1_000, 1 << 20);

    /** Few large answers, for a reader that may be slow (KNOWN_BUGS 40). */
    static final StreamBounds FETCH = new StreamBounds(64, 8 << 20);

    /** One request at a time, and a spare for the change from one session to the next. */
    static final StreamBounds PEER = new StreamBounds(8, 8 << 20);
}
