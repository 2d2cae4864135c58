package io.tidemark.sim.client;

import io.tidemark.client.net.BrokerConnection;
import io.tidemark.client.net.ClientTransport;
import io.tidemark.model.Endpoint;
import io.tidemark.sim.ProcessThreads;
import io.tidemark.sim.SimHost;
import io.tidemark.sim.SimNetwork;
import java.util.SortedMap;

/** Connections of one client's process to simulated brokers: its calls are messages of the simulated network. */
public final class SimClientTransport implements ClientTransport {
    private final SimNetwork network;
    private final SortedMap<Integer, SimHost> hosts;
    private final ProcessThreads threads;

    /**
     * @param hosts the brokers' machines by broker id
     * @param threads of the client; their host's id names the client on links
     */
    public SimClientTransport(SimNetwork network, SortedMap<Integer, SimHost> hosts, ProcessThreads threads) {
        this.network = network;
        this.hosts = hosts;
        this.threads = threads;
    }

    @Override
    public BrokerConnection connect(Endpoint broker) {
        SimHost host = hosts.values().stream()
                .filter(candidate -> candidate.endpoint().equals(broker))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no machine has the address " + broker));
        return new SimBrokerConnection(network, threads, host, new ClientDoor(host, hosts, network));
    }

    @Override
    public void close() {}
}
