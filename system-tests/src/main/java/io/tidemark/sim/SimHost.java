package io.tidemark.sim;

import io.tidemark.core.io.SimDisk;
import io.tidemark.model.Endpoint;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A machine: a disk that outlives processes, and at most one broker process. */
public final class SimHost implements NetworkPeer {
    private static final int PORT = 9092;

    private final int id;
    private final SimDisk disk = new SimDisk();
    private int boots = 1;
    private int lives;
    private @Nullable SimProcess process;
    private @Nullable String clusterId;

    SimHost(int id) {
        this.id = id;
    }

    @Override
    public int id() {
        return id;
    }

    @Override
    public @Nullable ProcessThreads threads() {
        return process == null ? null : process.threads();
    }

    /** Where whatever broker runs there listens: for clients, peers and all others. */
    public Endpoint endpoint() {
        return new Endpoint("host-" + id, PORT);
    }

    /** Names the next life of its process among all parts of a run. */
    String nextLife() {
        lives++;
        return "process/" + id + "/" + lives;
    }

    /** Names what happens to its disk until it boots again. */
    String diskPart() {
        return "disk/" + id + "/" + boots;
    }

    SimDisk disk() {
        return disk;
    }

    /** The broker's log directory. */
    Path logDirectory() {
        return Path.of("/sim/broker-" + id);
    }

    /** Changes with a power loss: the page cache did not survive it. */
    String bootId() {
        return "boot-" + id + "-" + boots;
    }

    /** The cluster that the log directory belongs to, once it was used. */
    Optional<String> clusterId() {
        return Optional.ofNullable(clusterId);
    }

    void joined(String cluster) {
        clusterId = cluster;
    }

    /** The process that runs there now; null if none does. */
    public @Nullable SimProcess process() {
        return process;
    }

    /** The process that runs there; for what is served by it. */
    public SimProcess running() {
        if (process == null) {
            throw new IllegalStateException("nobody listens at " + id);
        }
        return process;
    }

    void started(SimProcess newProcess) {
        process = newProcess;
    }

    /** The process is gone; the page cache survives. */
    void processEnded() {
        process = null;
        disk.processCrash();
    }

    /** Process and page cache are gone. */
    void powerLost(io.tidemark.runtime.Randomness randomness) {
        process = null;
        boots++;
        disk.powerLoss(randomness);
    }
}
