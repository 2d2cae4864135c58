package io.tidemark.server.peer;

import io.grpc.ManagedChannel;
import io.tidemark.coordination.broker.PeerIdentifier;
import io.tidemark.model.BrokerRegistration;
import io.tidemark.server.peer.UnaryCall.Unreachable;
import io.tidemark.server.rpc.CommandMapper;
import io.tidemark.wire.internal.v1.BrokerCommandServiceGrpc;
import io.tidemark.wire.internal.v1.IdentifyRequest;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks who listens at an address, each time over a connection of its own: an earlier failure of the shared one would be taken for
 * a refusal. Thread-safe.
 */
final class GrpcPeerIdentifier implements PeerIdentifier {
    private static final Logger LOG = LoggerFactory.getLogger(GrpcPeerIdentifier.class);

    private final PeerConnections connections;
    private final PeerSettings.Timeouts timeouts;

    public GrpcPeerIdentifier(PeerConnections connections, PeerSettings settings) {
        this.connections = connections;
        this.timeouts = settings.timeouts();
    }

    @Override
    public void identify(BrokerRegistration at, Consumer<@Nullable Identity> answer) {
        ManagedChannel channel = connections.fresh(at.peer());
        var unused = UnaryCall.send(
                new UnaryCall.Target<>(
                        channel,
                        BrokerCommandServiceGrpc.getIdentifyMethod(),
                        timeouts.identify(),
                        Unreachable.FAIL_AT_ONCE),
                IdentifyRequest.getDefaultInstance(),
                wire -> {
                    channel.shutdownNow();
                    answer.accept(CommandMapper.fromWire(wire));
                },
                status -> {
                    channel.shutdownNow();
                    LOG.debug("broker {} at {} does not say who it is: {}", at.id(), at.peer(), status);
                    answer.accept(null);
                });
    }
}
