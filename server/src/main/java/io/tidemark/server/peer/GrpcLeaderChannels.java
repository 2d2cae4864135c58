package io.tidemark.server.peer;

import io.tidemark.model.Endpoint;
import io.tidemark.replication.LeaderChannel;
import io.tidemark.replication.LeaderChannels;
import io.tidemark.runtime.Scheduler;

/** Opens fetchers' streams over the connections to peers. Thread-safe. */
public final class GrpcLeaderChannels implements LeaderChannels {
    private final PeerConnections connections;
    private final PeerSettings settings;
    private final Scheduler scheduler;

    /** @param scheduler for timeouts */
    public GrpcLeaderChannels(PeerConnections connections, PeerSettings settings, Scheduler scheduler) {
        this.connections = connections;
        this.settings = settings;
        this.scheduler = scheduler;
    }

    @Override
    public LeaderChannel open(int leaderId, Endpoint peer) {
        return new GrpcLeaderChannel(
                leaderId,
                () -> connections.to(leaderId, peer),
                settings.timeouts().fetchMargin(),
                scheduler);
    }
}
