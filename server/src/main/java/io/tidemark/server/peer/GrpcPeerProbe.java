package io.tidemark.server.peer;

import io.tidemark.coordination.broker.PeerProbe;
import io.tidemark.coordination.broker.RefusalCheck;
import io.tidemark.model.BrokerRegistration;
import io.tidemark.model.Endpoint;
import io.tidemark.server.peer.UnaryCall.Unreachable;
import io.tidemark.server.rpc.CommandMapper;
import io.tidemark.wire.internal.v1.BrokerCommandServiceGrpc;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Plain TCP connections to peers, and other brokers' opinions. Connections wait on two threads of their own, each for {@link
 * RefusalCheck#WINDOW} at most, so that a stopped peer holds nobody up; what finds the queue full has no outcome. Thread-safe.
 */
public final class GrpcPeerProbe implements PeerProbe, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(GrpcPeerProbe.class);
    private static final int THREADS = 2;
    private static final int MAX_WAITING = 128;
    private static final Duration IDLE_THREAD = Duration.ofSeconds(30);

    private final PeerConnections connections;
    private final PeerSettings.Timeouts timeouts;
    private final ThreadPoolExecutor connectors;

    public GrpcPeerProbe(PeerConnections connections, PeerSettings settings) {
        this.connections = connections;
        this.timeouts = settings.timeouts();
        AtomicInteger number = new AtomicInteger();
        connectors = new ThreadPoolExecutor(
                THREADS,
                THREADS,
                IDLE_THREAD.toMillis(),
                TimeUnit.MILLISECONDS,
                new ArrayBlockingQueue<>(MAX_WAITING),
                task -> {
                    Thread thread = new Thread(task, "peer-probe-" + number.incrementAndGet());
                    thread.setDaemon(true);
                    return thread;
                });
        connectors.allowCoreThreadTimeOut(true);
    }

    @Override
    public void connect(Endpoint at, Consumer<Outcome> outcome) {
        try {
            connectors.execute(() -> outcome.accept(tryToConnect(at)));
        } catch (RejectedExecutionException e) {
            outcome.accept(Outcome.UNKNOWN);
        }
    }

    @Override
    public void secondOpinion(BrokerRegistration of, Suspect about, Consumer<@Nullable Outcome> answer) {
        var unused = UnaryCall.send(
                new UnaryCall.Target<>(
                        connections.to(of.id(), of.peer()),
                        BrokerCommandServiceGrpc.getProbePeerMethod(),
                        timeouts.secondOpinion(),
                        Unreachable.FAIL_AT_ONCE),
                CommandMapper.toWire(about),
                wire -> answer.accept(CommandMapper.fromWire(wire)),
                status -> {
                    LOG.debug("broker {} has no opinion about broker {}: {}", of.id(), about.brokerId(), status);
                    answer.accept(null);
                });
    }

    /** Connections that wait have no outcome any more. */
    @Override
    public void close() {
        connectors.shutdownNow();
    }

    /**
     * A refusal is a {@link ConnectException}: the answer of the machine that nobody listens. The exception also stands for the
     * kernel's own timeout, which is far beyond the limit here; no route and an unreachable network have others.
     */
    private static Outcome tryToConnect(Endpoint at) {
        try (Socket socket = new Socket(Proxy.NO_PROXY)) {
            socket.connect(new InetSocketAddress(at.host(), at.port()), (int) RefusalCheck.WINDOW.toMillis());
            return Outcome.CONNECTED;
        } catch (ConnectException e) {
            return Outcome.REFUSED;
        } catch (IOException | RuntimeException e) {
            LOG.debug("no connection to {}", at, e);
            return Outcome.UNKNOWN;
        }
    }
}
