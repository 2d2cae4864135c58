package io.tidemark.server.rpc;

/** What came of one attempt to ask whoever decides, the controller or a partition's leader. */
public sealed interface Forwarded<A> {
    /** It answered, or a broker that does not decide did. */
    record Answered<A>(A message) implements Forwarded<A> {}

    /** Nobody was asked: certainly nothing was done. */
    record NotSent<A>(String reason) implements Forwarded<A> {}

    /** No answer came: whether it was done is not known. */
    record Unknown<A>(String reason) implements Forwarded<A> {}
}
