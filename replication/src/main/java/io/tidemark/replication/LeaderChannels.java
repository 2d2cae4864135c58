package io.tidemark.replication;

import io.tidemark.model.Endpoint;

/** Opens channels to leaders. */
@FunctionalInterface
public interface LeaderChannels {
    /** A channel to the broker's peer listener; connects when it is first used. */
    LeaderChannel open(int leaderId, Endpoint peer);
}
