package io.tidemark.server.rpc;

import io.tidemark.coordination.cluster.Answer;
import io.tidemark.coordination.cluster.ClusterEvent;
import java.util.function.Consumer;
import java.util.function.LongFunction;

/** This broker's own controller: {@code ControllerLoop::request}, whose contract this is. Never blocks, never throws. */
@FunctionalInterface
public interface ControllerPort {
    /**
     * @param request makes the event from the token that it is given
     * @param answer given exactly once, on any thread; NOT_CONTROLLER when this broker is not the controller (any more)
     */
    void request(LongFunction<ClusterEvent.Request> request, Consumer<Answer> answer);
}
