package io.tidemark.server.peer;

import io.grpc.Channel;
import io.grpc.Status;
import io.tidemark.model.ErrorCode;
import io.tidemark.replication.LeaderChannel;
import io.tidemark.replication.fetch.ReplicaFetch;
import io.tidemark.runtime.Scheduler;
import io.tidemark.server.rpc.ReplicaFetchMapper;
import io.tidemark.wire.internal.v1.ReplicaFetchRequest;
import io.tidemark.wire.internal.v1.ReplicaFetchResponse;
import io.tidemark.wire.internal.v1.ReplicaFetchServiceGrpc;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One fetcher's stream to one leader. A fetch that gets no answer within its own wait and a margin ends the stream. */
final class GrpcLeaderChannel implements LeaderChannel {
    private static final Logger LOG = LoggerFactory.getLogger(GrpcLeaderChannel.class);
    private static final PeerStream.Protocol<ReplicaFetchRequest, ReplicaFetchResponse> PROTOCOL =
            new PeerStream.Protocol<>(
                    ReplicaFetchServiceGrpc.getReplicaFetchMethod(),
                    ReplicaFetchRequest::getCorrelationId,
                    ReplicaFetchResponse::getCorrelationId,
                    answer -> false);

    private final int leaderId;
    private final Duration margin;
    private final PeerStream<ReplicaFetchRequest, ReplicaFetchResponse> stream;
    private long lastCorrelationId;

    /** @param margin beyond a fetch's own wait */
    GrpcLeaderChannel(int leaderId, Supplier<Channel> channel, Duration margin, Scheduler scheduler) {
        this.leaderId = leaderId;
        this.margin = margin;
        this.stream = new PeerStream<>(PROTOCOL, channel, scheduler);
    }

    @Override
    public void fetch(ReplicaFetch.Request request, Consumer<ReplicaFetch.Answer> answer) {
        lastCorrelationId++;
        Duration timeout = Duration.ofMillis(request.maxWaitMs()).plus(margin);
        stream.send(ReplicaFetchMapper.toWire(lastCorrelationId, request), timeout, new Receiver(answer));
    }

    @Override
    public void close() {
        stream.close();
    }

    private final class Receiver implements PeerStream.Receiver<ReplicaFetchResponse> {
        private final Consumer<ReplicaFetch.Answer> answer;

        Receiver(Consumer<ReplicaFetch.Answer> answer) {
            this.answer = answer;
        }

        @Override
        public void answered(ReplicaFetchResponse wire) {
            ReplicaFetch.Answer parsed;
            try {
                parsed = ReplicaFetchMapper.fromWire(wire);
            } catch (IllegalArgumentException e) {
                LOG.error("broker {} answered a fetch with nonsense", leaderId, e);
                parsed = ReplicaFetch.Answer.failed(ErrorCode.UNKNOWN_SERVER_ERROR);
            }
            answer.accept(parsed);
        }

        @Override
        public void failed(Status status) {
            if (error(status) == ErrorCode.UNKNOWN_SERVER_ERROR) {
                LOG.warn("a fetch from broker {} failed: {}", leaderId, status);
            } else {
                LOG.debug("a fetch from broker {} failed: {}", leaderId, status);
            }
            answer.accept(ReplicaFetch.Answer.failed(error(status)));
        }
    }

    private static ErrorCode error(Status status) {
        return switch (status.getCode()) {
            case UNAVAILABLE, CANCELLED -> ErrorCode.BROKER_NOT_AVAILABLE;
            case DEADLINE_EXCEEDED -> ErrorCode.REQUEST_TIMED_OUT;
            default -> ErrorCode.UNKNOWN_SERVER_ERROR;
        };
    }
}
