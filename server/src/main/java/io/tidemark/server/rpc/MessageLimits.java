package io.tidemark.server.rpc;

/**
 * The largest messages, for both sides of each listener (KNOWN_BUGS 41, grpc/grpc-java#3996): set from the sizes of
 * batches and answers, so that what one side may send the other takes.
 *
 * @param clientMaxBytes of one message on the clients' listener; a client that is to receive what it asked for allows as
 *     much
 * @param peerMaxBytes of one message between brokers
 */
public record MessageLimits(int clientMaxBytes, int peerMaxBytes) {
    /** Field tags, names and numbers around the batches of one message. */
    private static final int HEAD_ROOM_BYTES = 1 << 20;

    /** The least that a client's request may be: several batches of the usual size. */
    private static final int LEAST_CLIENT_BYTES = 100 << 20;

    public MessageLimits {
        if (clientMaxBytes < 1 || peerMaxBytes < 1) {
            throw new IllegalArgumentException("message limits must be positive");
        }
    }

    /**
     * The limits that fit a configuration. Between brokers there is none but the format's own: a stored batch is replicated
     * however large it is, also after the limit for new batches was lowered.
     *
     * @param batchMaxBytes largest batch that any topic takes ({@code max.message.bytes})
     * @param fetchMaxBytes largest answer to a fetch; one batch may come on top
     */
    public static MessageLimits fitting(int batchMaxBytes, int fetchMaxBytes) {
        long needed = (long) batchMaxBytes + fetchMaxBytes + HEAD_ROOM_BYTES;
        long client = Math.max(LEAST_CLIENT_BYTES, needed);
        return new MessageLimits((int) Math.min(Integer.MAX_VALUE, client), Integer.MAX_VALUE);
    }
}
