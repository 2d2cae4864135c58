package io.tidemark.server.rpc;

import io.tidemark.coordination.broker.PeerProbe.Outcome;
import io.tidemark.coordination.broker.PeerProbe.Suspect;
import java.util.function.Consumer;

/** What a broker does about peers that may be dead (DESIGN section 6, fast detection). Called on any thread; returns at once. */
public interface Suspicions {
    /** A stream by which a controller pushed to this broker ended, however it did. */
    void controllerStreamEnded();

    /** Gives this broker's opinion about another, once, on any thread. */
    void probe(Suspect suspect, Consumer<Outcome> opinion);
}
