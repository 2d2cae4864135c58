package io.tidemark.server.rpc;

/** A message that says nothing that could be answered part by part: the caller's fault, told to the caller alone. */
final class MalformedRequestException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    MalformedRequestException(IllegalArgumentException cause) {
        super(cause.getMessage(), cause);
    }
}
