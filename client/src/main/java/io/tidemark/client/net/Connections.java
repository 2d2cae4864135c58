package io.tidemark.client.net;

import io.tidemark.model.Endpoint;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The connections of one client, by address, in the order in which they were opened. Used on the client's loop alone. */
final class Connections {
    private final ClientTransport transport;
    private final Map<Endpoint, BrokerConnection> open = new LinkedHashMap<>();

    Connections(ClientTransport transport) {
        this.transport = transport;
    }

    BrokerConnection to(Endpoint endpoint) {
        return open.computeIfAbsent(endpoint, transport::connect);
    }

    /** Closes connections to addresses that are not named any more. */
    void keepOnly(List<Endpoint> endpoints) {
        for (Endpoint endpoint : new ArrayList<>(open.keySet())) {
            if (!endpoints.contains(endpoint)) {
                BrokerConnection gone = open.remove(endpoint);
                if (gone != null) {
                    gone.close();
                }
            }
        }
    }

    /** The broker there is up, by the news (KNOWN_BUGS 44: gRPC's own pauses grow to two minutes). */
    void reconnect(Endpoint endpoint) {
        BrokerConnection known = open.get(endpoint);
        if (known != null) {
            known.reconnect();
        }
    }

    void close() {
        List<BrokerConnection> all = new ArrayList<>(open.values());
        open.clear();
        all.forEach(BrokerConnection::close);
    }
}
