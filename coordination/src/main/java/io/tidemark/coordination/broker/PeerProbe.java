package io.tidemark.coordination.broker;

import io.tidemark.model.BrokerRegistration;
import io.tidemark.model.Endpoint;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Finds out whether anybody listens at a broker's peer address (DESIGN section 6, fast detection). Never blocks, never
 * throws; each answer is given exactly once, on any thread.
 */
public interface PeerProbe {
    /** What became of a connection. */
    enum Outcome {
        /**
         * The machine is up and says that nobody listens there: no process of that broker lives. Only this; a process that
         * is stopped, has a full accept queue or is out of reach does not refuse.
         */
        REFUSED,
        /** Somebody listens; not necessarily somebody who ever answers. */
        CONNECTED,
        /** No answer in time, no route, no such name: nothing is known. */
        UNKNOWN
    }

    /**
     * Whom it is about.
     *
     * @param peer where other brokers reach it
     */
    record Suspect(int brokerId, Endpoint peer) {}

    /** Opens one TCP connection and drops it again; given up after {@link RefusalCheck#WINDOW}. */
    void connect(Endpoint at, Consumer<Outcome> outcome);

    /** Asks another broker for the outcome of its own {@link RefusalCheck}; null if that broker does not answer. */
    void secondOpinion(BrokerRegistration of, Suspect about, Consumer<@Nullable Outcome> answer);
}
