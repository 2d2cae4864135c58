package io.tidemark.server.peer;

import io.grpc.Status;
import io.tidemark.coordination.broker.Push;
import io.tidemark.coordination.controller.BrokerCommands;
import io.tidemark.model.BrokerRegistration;
import io.tidemark.model.Endpoint;
import io.tidemark.runtime.Scheduler;
import io.tidemark.server.peer.UnaryCall.Unreachable;
import io.tidemark.server.rpc.CommandMapper;
import io.tidemark.wire.internal.v1.BrokerCommandServiceGrpc;
import io.tidemark.wire.internal.v1.PushRequest;
import io.tidemark.wire.internal.v1.PushResponse;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The controller's way to brokers: one push stream for each, and single questions. Used by the controller's loop. */
public final class GrpcBrokerCommands implements BrokerCommands, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(GrpcBrokerCommands.class);

    private final PeerConnections connections;
    private final PeerSettings.Timeouts timeouts;
    private final Scheduler scheduler;
    private final GrpcPeerIdentifier identifier;
    private final Listener listener;
    private final Map<Integer, Link> links = new ConcurrentHashMap<>();

    /** Hears of brokers, on any thread: what {@code ControllerLoop} has methods for. */
    public interface Listener {
        /** A broker says that its disk failed. */
        void brokerStorageFailed(int brokerId, long brokerEpoch);

        /** The stream to a broker ended, and nobody here closed it. */
        void brokerStreamBroke(int brokerId, long brokerEpoch);
    }

    /** @param scheduler for timeouts */
    public GrpcBrokerCommands(
            PeerConnections connections, PeerSettings settings, Scheduler scheduler, Listener listener) {
        this.connections = connections;
        this.timeouts = settings.timeouts();
        this.scheduler = scheduler;
        this.identifier = new GrpcPeerIdentifier(connections, settings);
        this.listener = listener;
    }

    @Override
    public void push(BrokerRegistration to, Push.Request push, Consumer<Push.@Nullable Answer> answer) {
        link(to).stream.send(CommandMapper.toWire(push), timeouts.push(), new PushReceiver(to.id(), answer));
    }

    @Override
    public void hold(BrokerRegistration to) {
        link(to).stream.open();
    }

    private Link link(BrokerRegistration to) {
        Link link = links.get(to.id());
        if (link == null || !link.endpoint.equals(to.peer())) {
            if (link != null) {
                link.stream.close();
            }
            link = new Link(to.id(), to.peer());
            links.put(to.id(), link);
        }
        link.brokerEpoch = to.brokerEpoch();
        return link;
    }

    @Override
    public void identify(BrokerRegistration at, Consumer<@Nullable Identity> answer) {
        identifier.identify(at, answer);
    }

    @Override
    public void describeLogEnds(BrokerRegistration of, List<LogQuery> logs, Consumer<@Nullable LogEnds> answer) {
        var unused = UnaryCall.send(
                new UnaryCall.Target<>(
                        connections.to(of.id(), of.peer()),
                        BrokerCommandServiceGrpc.getDescribeLogEndsMethod(),
                        timeouts.logEnds(),
                        Unreachable.WAIT_UNTIL_TIMEOUT),
                CommandMapper.toWire(of.brokerEpoch(), logs),
                wire -> answer.accept(orNull(of, () -> CommandMapper.fromWire(wire))),
                status -> {
                    LOG.debug("broker {} does not say how far its logs go: {}", of.id(), status);
                    answer.accept(null);
                });
    }

    @Override
    public void disconnect(int brokerId) {
        Link link = links.remove(brokerId);
        if (link != null) {
            link.stream.close();
        }
        connections.disconnect(brokerId);
    }

    /** Ends all push streams; what is outstanding is answered with null. */
    @Override
    public void close() {
        links.values().forEach(link -> link.stream.close());
        links.clear();
    }

    private static @Nullable LogEnds orNull(BrokerRegistration of, Supplier<LogEnds> parse) {
        try {
            return parse.get();
        } catch (IllegalArgumentException e) {
            LOG.error("broker {} told nonsense about its logs", of.id(), e);
            return null;
        }
    }

    /** The push stream to one broker. */
    private final class Link {
        private final Endpoint endpoint;
        private final PeerStream<PushRequest, PushResponse> stream;

        /** Of the latest push: the life of the broker that speaks on this stream. */
        private volatile long brokerEpoch;

        Link(int brokerId, Endpoint endpoint) {
            this.endpoint = endpoint;
            PeerStream.Protocol<PushRequest, PushResponse> protocol = new PeerStream.Protocol<>(
                    BrokerCommandServiceGrpc.getPushMethod(),
                    PushRequest::getSequence,
                    PushResponse::getSequence,
                    message -> isStorageFailure(brokerId, message));
            this.stream = new PeerStream<>(
                    protocol, () -> connections.to(brokerId, endpoint), scheduler, () -> broke(brokerId));
        }

        private void broke(int brokerId) {
            LOG.debug("the push stream to broker {} at {} ended", brokerId, endpoint);
            listener.brokerStreamBroke(brokerId, brokerEpoch);
        }

        private boolean isStorageFailure(int brokerId, PushResponse message) {
            if (message.getStorageFailure()) {
                LOG.warn("broker {} says that its storage failed", brokerId);
                listener.brokerStorageFailed(brokerId, brokerEpoch);
            }
            return message.getStorageFailure();
        }
    }

    private record PushReceiver(int brokerId, Consumer<Push.@Nullable Answer> answer)
            implements PeerStream.Receiver<PushResponse> {
        @Override
        public void answered(PushResponse wire) {
            answer.accept(CommandMapper.fromWire(wire).orElse(null));
        }

        @Override
        public void failed(Status status) {
            LOG.debug("a push to broker {} was not answered: {}", brokerId, status);
            answer.accept(null);
        }
    }
}
