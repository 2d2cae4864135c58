package io.tidemark.cli.dev;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonParseException;
import io.tidemark.cli.CommandFailure;
import io.tidemark.cli.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;

/**
 * {@code cluster.json} of a local cluster's directory. Its keys are a contract: scripts read it.
 *
 * <p>A pid is 0 while the process was never started; whether it still runs is checked against the process's command line.
 */
final class ClusterFile {
    static final String NAME = "cluster.json";

    private static final Gson GSON = new GsonBuilder().setPrettyPrinting().create();

    /** Client addresses of all brokers, separated by commas. */
    String bootstrap = "";

    /** ZooKeeper's address; of an ensemble that somebody else runs, the addresses as brokers take them. */
    String zookeeper = "";

    /** Whether somebody else runs it: then it is neither started nor stopped here. */
    boolean foreignZookeeper;

    long zookeeperPid;

    /** Heap of each broker, as the JVM wants it. */
    String brokerHeap = LocalCluster.DEFAULT_BROKER_HEAP;

    List<BrokerEntry> brokers = new ArrayList<>();

    /** One broker. */
    static final class BrokerEntry {
        int id;
        long pid;
        String address = "";
        String peerAddress = "";
        String httpAddress = "";
        String logDir = "";
    }

    static boolean existsIn(Path directory) {
        return Files.exists(directory.resolve(NAME));
    }

    static ClusterFile read(Path directory) {
        Path file = directory.resolve(NAME);
        if (!Files.exists(file)) {
            throw new CommandFailure(
                    ExitCode.FAILED, "there is no cluster in " + directory + ": start one with tidemark dev start");
        }
        try {
            ClusterFile cluster = GSON.fromJson(Files.readString(file), ClusterFile.class);
            if (cluster == null) {
                throw new CommandFailure(ExitCode.FAILED, file + " is empty");
            }
            return cluster;
        } catch (IOException | JsonParseException e) {
            throw new CommandFailure(ExitCode.FAILED, "cannot read " + file + ": " + e.getMessage());
        }
    }

    void write(Path directory) {
        Path file = directory.resolve(NAME);
        Path fresh = directory.resolve(NAME + ".tmp");
        try {
            Files.writeString(fresh, GSON.toJson(this) + System.lineSeparator());
            Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new CommandFailure(ExitCode.FAILED, "cannot write " + file + ": " + e.getMessage());
        }
    }

    BrokerEntry broker(int id) {
        return brokers.stream()
                .filter(each -> each.id == id)
                .findFirst()
                .orElseThrow(() -> new CommandFailure(
                        ExitCode.FAILED,
                        "there is no broker " + id + "; there are "
                                + brokers.stream().map(each -> each.id).toList()));
    }
}
