package io.tidemark.server.rpc;

import io.tidemark.coordination.broker.Push;

/** Takes the controller's pushes (DESIGN section 6). Called on one loop, in the order in which they arrive. */
@FunctionalInterface
public interface PushTarget {
    /** Applies the push, or says why not. What it throws ends the controller's stream and goes on to the loop. */
    Push.Answer onPush(Push.Request push);
}
