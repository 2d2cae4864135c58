package io.tidemark.sim.client;

import io.tidemark.model.Endpoint;
import io.tidemark.sim.SimHost;
import io.tidemark.sim.SimNetwork;
import io.tidemark.sim.SimWorld;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;

/**
 * Where clients live, and whom they can reach.
 *
 * @param hosts the brokers' machines by broker id
 * @param answers hears what brokers promise, before it is on its way
 */
public record ClientSite(
        SimWorld world, SimNetwork network, SortedMap<Integer, SimHost> hosts, AnswerObserver answers) {
    public ClientSite {
        hosts = Collections.unmodifiableSortedMap(hosts);
    }

    /** The addresses of all brokers, dead or alive. */
    public List<Endpoint> bootstrap() {
        return hosts.values().stream().map(SimHost::endpoint).toList();
    }
}
