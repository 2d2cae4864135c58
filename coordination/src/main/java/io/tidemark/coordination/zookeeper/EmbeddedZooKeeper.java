package io.tidemark.coordination.zookeeper;

import java.io.File;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.apache.zookeeper.server.DatadirCleanupManager;
import org.apache.zookeeper.server.NIOServerCnxnFactory;
import org.apache.zookeeper.server.ZKDatabase;
import org.apache.zookeeper.server.ZooKeeperServer;
import org.apache.zookeeper.server.persistence.FileTxnSnapLog;

/**
 * A single real ZooKeeper server (DESIGN section 6): data on disk, every transaction forced, old snapshots purged, no
 * admin server. Meant for a process of its own, {@link ZooKeeperMain}; integration tests run it in theirs.
 *
 * <p>Loading ZooKeeper's server sets the JVM's default uncaught-exception handler; a test that cares restores it.
 */
public final class EmbeddedZooKeeper implements AutoCloseable {
    private static final int PURGE_INTERVAL_HOURS = 1;
    private static final int DEFAULT_BACKLOG = -1;

    private final FileChannel lockFile;
    private final FileTxnSnapLog files;
    private final NIOServerCnxnFactory connections;
    private final DatadirCleanupManager purge;
    private final Server server;
    private boolean closed;

    private EmbeddedZooKeeper(
            FileChannel lockFile,
            FileTxnSnapLog files,
            NIOServerCnxnFactory connections,
            DatadirCleanupManager purge,
            Server server) {
        this.lockFile = lockFile;
        this.files = files;
        this.connections = connections;
        this.purge = purge;
        this.server = server;
    }

    /**
     * Starts a server and returns when it listens.
     *
     * @param onFailure called at most once, on a thread of the server, when it cannot go on (a disk error, say)
     * @throws IOException if the directory is in use or cannot be read, or the port cannot be bound
     */
    public static EmbeddedZooKeeper start(EmbeddedZooKeeperConfig config, Runnable onFailure)
            throws IOException, InterruptedException {
        Files.createDirectories(config.dataDir());
        FileChannel lock = lock(config.dataDir());
        try {
            return startLocked(config, lock, onFailure);
        } catch (IOException | InterruptedException | RuntimeException e) {
            lock.close();
            throw e;
        }
    }

    private static EmbeddedZooKeeper startLocked(EmbeddedZooKeeperConfig config, FileChannel lock, Runnable onFailure)
            throws IOException, InterruptedException {
        File dir = config.dataDir().toFile();
        FileTxnSnapLog files = new FileTxnSnapLog(dir, dir);
        NIOServerCnxnFactory connections = new NIOServerCnxnFactory();
        DatadirCleanupManager purge = new DatadirCleanupManager(dir, dir, config.snapshotsKept(), PURGE_INTERVAL_HOURS);
        Server server = new Server(config, files, onFailure);
        EmbeddedZooKeeper embedded = new EmbeddedZooKeeper(lock, files, connections, purge, server);
        try {
            connections.configure(
                    new InetSocketAddress(config.host(), config.port()),
                    config.maxClientConnections(),
                    DEFAULT_BACKLOG,
                    false);
            connections.startup(server);
            purge.start();
            return embedded;
        } catch (IOException | InterruptedException | RuntimeException e) {
            embedded.close();
            throw e;
        }
    }

    /** The port that it listens on. */
    public int port() {
        return connections.getLocalPort();
    }

    /** Ends a client's session as if its timeout had passed: its ephemeral nodes go, it will hear of it. */
    public void expire(long sessionId) {
        server.expire(sessionId);
    }

    /** Stops listening, flushes and releases the directory. Idempotent. */
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        purge.shutdown();
        connections.shutdown();
        try (lockFile) {
            files.close();
        } catch (IOException e) {
            throw new IllegalStateException("cannot close the data directory of ZooKeeper", e);
        }
    }

    private static FileChannel lock(Path dataDir) throws IOException {
        FileChannel channel =
                FileChannel.open(dataDir.resolve(".lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        try {
            FileLock lock = channel.tryLock();
            if (lock != null) {
                return channel;
            }
        } catch (OverlappingFileLockException heldByThisProcess) {
            channel.close();
            throw new IOException("another ZooKeeper of this process uses " + dataDir, heldByThisProcess);
        }
        channel.close();
        throw new IOException("another process uses " + dataDir);
    }

    private static final class Server extends ZooKeeperServer {
        private final Runnable onFailure;

        private Server(EmbeddedZooKeeperConfig config, FileTxnSnapLog files, Runnable onFailure) {
            super(
                    files,
                    config.tickTimeMs(),
                    config.minSessionTimeoutMs(),
                    config.maxSessionTimeoutMs(),
                    DEFAULT_BACKLOG,
                    new ZKDatabase(files),
                    "");
            this.onFailure = onFailure;
        }

        @Override
        protected void setState(State state) {
            super.setState(state);
            if (state == State.ERROR) {
                onFailure.run();
            }
        }
    }
}
