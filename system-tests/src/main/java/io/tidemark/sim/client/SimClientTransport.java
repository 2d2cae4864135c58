package io.tidemark.sim.client;

import io.tidemark.client.net.BrokerConnection;
import io.tidemark.client.net.ClientTransport;
import io.tidemark.model.Endpoint;
import io.tidemark.sim.ProcessThreads;
import io.tidemark.sim.SimHost;

/** Connections of one client's process to simulated brokers: its calls are messages of the simulated network. */
public final class SimClientTransport implements ClientTransport {
    private final ClientSite site;
    private final ProcessThreads threads;

    /**
     * @param site where its brokers are
     * @param threads of the client; their host's id names the client on links
     */
    public SimClientTransport(ClientSite site, ProcessThreads threads) {
        this.site = site;
        this.threads = threads;
    }

    @Override
    public BrokerConnection connect(Endpoint broker) {
        SimHost host = site.hosts().values().stream()
                .filter(candidate -> candidate.endpoint().equals(broker))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no machine has the address " + broker));
        return new SimBrokerConnection(site.network(), threads, host, new ClientDoor(host, site));
    }

    @Override
    public void close() {}
}
