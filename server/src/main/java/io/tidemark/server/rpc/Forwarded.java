package io.tidemark.server.rpc;

/** What came of one attempt to ask the controller. */
public sealed interface Forwarded<A> {
    /** The controller, or a broker that is not the controller, answered. */
    record Answered<A>(A message) implements Forwarded<A> {}

    /** Nobody was asked: certainly nothing was done. */
    record NotSent<A>(String reason) implements Forwarded<A> {}

    /** No answer came: whether it was done is not known. */
    record Unknown<A>(String reason) implements Forwarded<A> {}
}
