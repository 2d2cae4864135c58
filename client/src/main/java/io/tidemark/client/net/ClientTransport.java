package io.tidemark.client.net;

import io.tidemark.model.Endpoint;

/** Opens connections: gRPC in an application, simulated messages in the simulator. */
public interface ClientTransport extends AutoCloseable {
    /** A connection to the client listener of a broker; connects when it is first used, reconnects by itself. */
    BrokerConnection connect(Endpoint broker);

    /** Releases threads that all connections share. */
    @Override
    void close();
}
