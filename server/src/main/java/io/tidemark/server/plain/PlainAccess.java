package io.tidemark.server.plain;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.tidemark.client.net.ClientRuntime;
import io.tidemark.client.net.ClientThread;
import io.tidemark.client.net.GrpcTransport;
import io.tidemark.model.Endpoint;
import io.tidemark.server.rpc.PublishPort;
import io.tidemark.server.rpc.SubscribePort;
import java.time.Duration;
import java.util.function.ToLongFunction;

/**
 * This broker as a client of its cluster: one loop and one transport for all callers of the plain API, made once. Threads start
 * and connections open with the first call.
 *
 * <p>What its producers hold is bounded by {@link ClusterPublisher#BUFFER_BYTES} for each kind of acks; what readers hold, by
 * their demands.
 */
public final class PlainAccess implements AutoCloseable {
    private static final Duration CALL_TIMEOUT = Duration.ofSeconds(5);

    private final ClientThread thread = new ClientThread("tidemark-plain");
    private final GrpcTransport transport;
    private final ClusterPublisher publisher;
    private final ClusterReader reader;

    /**
     * @param maxMessageBytes of one message of a listener for clients
     * @param maxBatchBytes largest batch that topics take by default ({@code max.message.bytes})
     * @param latestTimestampMs that a record of the topic may carry now, as far as this broker knows
     */
    public record Limits(int maxMessageBytes, int maxBatchBytes, ToLongFunction<String> latestTimestampMs) {}

    public PlainAccess(Limits limits, MeterRegistry registry) {
        ClientRuntime runtime = thread.runtime();
        this.transport = new GrpcTransport(new GrpcTransport.Settings(CALL_TIMEOUT, limits.maxMessageBytes()));
        this.publisher = new ClusterPublisher(runtime, transport, limits);
        this.reader = new ClusterReader(runtime, transport);
        Gauge.builder("tidemark.plain.buffered", publisher, ClusterPublisher::bufferedBytes)
                .baseUnit("bytes")
                .register(registry);
    }

    /** This broker can be reached there from now on; calls before are refused as one that must be tried again. */
    public void listening(Endpoint self) {
        publisher.bootstrap(self);
        reader.bootstrap(self);
    }

    public PublishPort publishes() {
        return publisher;
    }

    public SubscribePort subscriptions() {
        return reader;
    }

    /** Fails what is left and releases threads and connections. Idempotent. */
    @Override
    public void close() {
        publisher.close();
        reader.close();
        thread.close();
        transport.close();
    }
}
