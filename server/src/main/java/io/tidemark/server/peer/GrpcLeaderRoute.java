package io.tidemark.server.peer;

import io.tidemark.model.BrokerRegistration;
import io.tidemark.model.PartitionState;
import io.tidemark.model.TopicPartition;
import io.tidemark.runtime.Cancellable;
import io.tidemark.server.metadata.ClusterView;
import io.tidemark.server.metadata.MetadataCache;
import io.tidemark.server.peer.UnaryCall.Unreachable;
import io.tidemark.server.rpc.Forwarded;
import io.tidemark.server.rpc.LeaderRoute;
import io.tidemark.server.rpc.LocalLeader;
import io.tidemark.wire.internal.v1.LeaderServiceGrpc;
import io.tidemark.wire.v1.DeleteRecordsRequest;
import io.tidemark.wire.v1.DeleteRecordsResponse;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Finds partitions' leaders by what the controller last told this broker. One attempt for each call: callers repeat what is worth
 * repeating. Thread-safe; never blocks, never throws.
 */
public final class GrpcLeaderRoute implements LeaderRoute {
    private static final Cancellable NOTHING_WAITS = () -> {};

    private final int localBrokerId;
    private final LocalLeader local;
    private final MetadataCache metadata;
    private final PeerConnections connections;

    /** @param local asked when this broker leads */
    public GrpcLeaderRoute(int localBrokerId, LocalLeader local, MetadataCache metadata, PeerConnections connections) {
        this.localBrokerId = localBrokerId;
        this.local = local;
        this.metadata = metadata;
        this.connections = connections;
    }

    @Override
    public Cancellable deleteRecords(
            DeleteRecordsRequest request, Duration timeout, Consumer<Forwarded<DeleteRecordsResponse>> answer) {
        TopicPartition partition = new TopicPartition(
                request.getPartition().getTopic(), request.getPartition().getPartition());
        ClusterView view = metadata.view();
        Optional<PartitionState> state = view.partition(partition);
        if (state.isEmpty() || state.get().leader() == localBrokerId) {
            // Of a partition that nobody has told it of this broker says so itself.
            return local.deleteRecords(request, timeout, response -> answer.accept(new Forwarded.Answered<>(response)));
        }
        BrokerRegistration leader = view.brokers().get(state.get().leader());
        if (leader == null) {
            answer.accept(new Forwarded.NotSent<>(partition + " has no leader that lives"));
            return NOTHING_WAITS;
        }
        return UnaryCall.send(
                new UnaryCall.Target<>(
                        connections.to(leader.id(), leader.peer()),
                        LeaderServiceGrpc.getDeleteRecordsMethod(),
                        timeout,
                        Unreachable.FAIL_AT_ONCE),
                request,
                response -> answer.accept(new Forwarded.Answered<>(response)),
                status -> answer.accept(new Forwarded.Unknown<>("leader " + leader.id() + " at " + leader.peer() + ": "
                        + status.getCode()
                        + (status.getDescription() == null ? "" : " " + status.getDescription()))));
    }
}
