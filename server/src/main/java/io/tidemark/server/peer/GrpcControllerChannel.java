package io.tidemark.server.peer;

import io.grpc.MethodDescriptor;
import io.tidemark.coordination.broker.ControllerChannel;
import io.tidemark.model.Endpoint;
import io.tidemark.model.ErrorCode;
import io.tidemark.replication.DamageChannel;
import io.tidemark.replication.IsrChannel;
import io.tidemark.replication.partition.DamageReport;
import io.tidemark.replication.partition.IsrProposal;
import io.tidemark.runtime.Cancellable;
import io.tidemark.runtime.Scheduler;
import io.tidemark.server.peer.UnaryCall.Unreachable;
import io.tidemark.server.rpc.AdminRoute;
import io.tidemark.server.rpc.ControllerMapper;
import io.tidemark.server.rpc.Forwarded;
import io.tidemark.server.rpc.LocalController;
import io.tidemark.wire.internal.v1.AllocateProducerIdsRequest;
import io.tidemark.wire.internal.v1.AllocateProducerIdsResponse;
import io.tidemark.wire.internal.v1.ControlledShutdownRequest;
import io.tidemark.wire.internal.v1.ControlledShutdownResponse;
import io.tidemark.wire.internal.v1.ControllerServiceGrpc;
import io.tidemark.wire.internal.v1.ProposeIsrRequest;
import io.tidemark.wire.internal.v1.ProposeIsrResponse;
import io.tidemark.wire.internal.v1.ReportDamageRequest;
import io.tidemark.wire.internal.v1.ReportDamageResponse;
import io.tidemark.wire.v1.AlterTopicRequest;
import io.tidemark.wire.v1.AlterTopicResponse;
import io.tidemark.wire.v1.CreateTopicRequest;
import io.tidemark.wire.v1.CreateTopicResponse;
import io.tidemark.wire.v1.DeleteTopicRequest;
import io.tidemark.wire.v1.DeleteTopicResponse;
import io.tidemark.wire.v1.TransferLeaderRequest;
import io.tidemark.wire.v1.TransferLeaderResponse;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * This broker's way to the controller, be it another broker or this one. One attempt for each call: callers repeat what is
 * worth repeating. Thread-safe; never blocks, never throws; each answer is given exactly once, also by this broker's own
 * controller while it cannot decide.
 */
public final class GrpcControllerChannel implements IsrChannel, DamageChannel, ControllerChannel, AdminRoute {
    private final Self self;
    private final LocalController local;
    private final PeerConnections connections;
    private final PeerSettings.Timeouts timeouts;
    private final Scheduler scheduler;
    private volatile @Nullable Target target;

    /**
     * This broker as the controller knows it.
     *
     * @param brokerEpoch of the current registration
     */
    public record Self(int brokerId, LongSupplier brokerEpoch) {}

    private record Target(int brokerId, Endpoint peer) {}

    private record Route<Q, A>(MethodDescriptor<Q, A> method, BiConsumer<Q, Consumer<A>> local) {}

    /**
     * @param local asked when this broker is the controller
     * @param scheduler for timeouts
     */
    public GrpcControllerChannel(
            Self self, LocalController local, PeerConnections connections, PeerSettings settings, Scheduler scheduler) {
        this.self = self;
        this.local = local;
        this.connections = connections;
        this.timeouts = settings.timeouts();
        this.scheduler = scheduler;
    }

    /** The controller is reached there from now on. */
    public void controllerIs(int brokerId, Endpoint peer) {
        target = new Target(brokerId, peer);
    }

    /** No controller is known. */
    public void noController() {
        target = null;
    }

    @Override
    public void propose(IsrProposal proposal, Consumer<IsrChannel.Answer> answer) {
        Route<ProposeIsrRequest, ProposeIsrResponse> route =
                new Route<>(ControllerServiceGrpc.getProposeIsrMethod(), local::proposeIsr);
        ProposeIsrRequest request =
                ControllerMapper.toWire(self.brokerId(), self.brokerEpoch().getAsLong(), proposal);
        Function<ProposeIsrResponse, IsrChannel.Answer> parse = wire -> ControllerMapper.fromWire(proposal, wire);
        call(route, request, timeouts.controller(), orElse(answer, parse, IsrChannel.Answer.Failed::new));
    }

    @Override
    public void report(DamageReport report, Consumer<ErrorCode> answer) {
        Route<ReportDamageRequest, ReportDamageResponse> route =
                new Route<>(ControllerServiceGrpc.getReportDamageMethod(), local::reportDamage);
        ReportDamageRequest request =
                ControllerMapper.toWire(self.brokerId(), self.brokerEpoch().getAsLong(), report);
        Function<ErrorCode, ErrorCode> failed = Function.identity();
        call(route, request, timeouts.controller(), orElse(answer, ControllerMapper::fromWire, failed));
    }

    @Override
    public void controlledShutdown(long brokerEpoch, Consumer<ShutdownAnswer> answer) {
        Route<ControlledShutdownRequest, ControlledShutdownResponse> route =
                new Route<>(ControllerServiceGrpc.getControlledShutdownMethod(), local::controlledShutdown);
        ControlledShutdownRequest request = ControlledShutdownRequest.newBuilder()
                .setBrokerId(self.brokerId())
                .setBrokerEpoch(brokerEpoch)
                .build();
        Function<ErrorCode, ShutdownAnswer> failed = error -> new ShutdownAnswer(error, List.of());
        call(route, request, timeouts.controlledShutdown(), orElse(answer, ControllerMapper::fromWire, failed));
    }

    @Override
    public void allocateProducerIds(long brokerEpoch, Consumer<ProducerIdsAnswer> answer) {
        Route<AllocateProducerIdsRequest, AllocateProducerIdsResponse> route =
                new Route<>(ControllerServiceGrpc.getAllocateProducerIdsMethod(), local::allocateProducerIds);
        AllocateProducerIdsRequest request = AllocateProducerIdsRequest.newBuilder()
                .setBrokerId(self.brokerId())
                .setBrokerEpoch(brokerEpoch)
                .build();
        Function<ErrorCode, ProducerIdsAnswer> failed = error -> new ProducerIdsAnswer(error, -1, 0);
        call(route, request, timeouts.controller(), orElse(answer, ControllerMapper::fromWire, failed));
    }

    @Override
    public void createTopic(
            CreateTopicRequest request, Duration timeout, Consumer<Forwarded<CreateTopicResponse>> answer) {
        call(new Route<>(ControllerServiceGrpc.getCreateTopicMethod(), local::createTopic), request, timeout, answer);
    }

    @Override
    public void deleteTopic(
            DeleteTopicRequest request, Duration timeout, Consumer<Forwarded<DeleteTopicResponse>> answer) {
        call(new Route<>(ControllerServiceGrpc.getDeleteTopicMethod(), local::deleteTopic), request, timeout, answer);
    }

    @Override
    public void alterTopic(
            AlterTopicRequest request, Duration timeout, Consumer<Forwarded<AlterTopicResponse>> answer) {
        Route<AlterTopicRequest, AlterTopicResponse> route =
                new Route<>(ControllerServiceGrpc.getAlterTopicMethod(), local::alterTopic);
        call(route, request, timeout, answer);
    }

    @Override
    public void transferLeader(
            TransferLeaderRequest request, Duration timeout, Consumer<Forwarded<TransferLeaderResponse>> answer) {
        Route<TransferLeaderRequest, TransferLeaderResponse> route =
                new Route<>(ControllerServiceGrpc.getTransferLeaderMethod(), local::transferLeader);
        call(route, request, timeout, answer);
    }

    private <Q, A> void call(Route<Q, A> route, Q request, Duration timeout, Consumer<Forwarded<A>> answer) {
        Target controller = target;
        if (controller == null) {
            answer.accept(new Forwarded.NotSent<>("no controller is known"));
        } else if (controller.brokerId() == self.brokerId()) {
            callLocal(route, request, timeout, answer);
        } else {
            var unused = UnaryCall.send(
                    new UnaryCall.Target<>(
                            connections.to(controller.brokerId(), controller.peer()),
                            route.method(),
                            timeout,
                            Unreachable.FAIL_AT_ONCE),
                    request,
                    message -> answer.accept(new Forwarded.Answered<>(message)),
                    status -> answer.accept(new Forwarded.Unknown<>(
                            "controller " + controller.brokerId() + " at " + controller.peer() + ": " + status.getCode()
                                    + (status.getDescription() == null ? "" : " " + status.getDescription()))));
        }
    }

    /** The controller's loop answers only when a decision is committed, which ZooKeeper may delay without end. */
    private <Q, A> void callLocal(Route<Q, A> route, Q request, Duration timeout, Consumer<Forwarded<A>> answer) {
        AtomicBoolean done = new AtomicBoolean();
        Cancellable timer = scheduler.schedule(timeout, () -> {
            if (done.compareAndSet(false, true)) {
                answer.accept(new Forwarded.Unknown<>("no decision within " + timeout.toMillis() + " ms"));
            }
        });
        route.local().accept(request, message -> {
            if (done.compareAndSet(false, true)) {
                timer.cancel();
                answer.accept(new Forwarded.Answered<>(message));
            }
        });
    }

    private static <A, R> Consumer<Forwarded<A>> orElse(
            Consumer<R> answer, Function<A, R> parse, Function<ErrorCode, R> failed) {
        return reply -> {
            if (reply instanceof Forwarded.Answered<A> answered) {
                answer.accept(parsed(answered.message(), parse, failed));
            } else if (reply instanceof Forwarded.NotSent<A>) {
                answer.accept(failed.apply(ErrorCode.NOT_CONTROLLER));
            } else {
                answer.accept(failed.apply(ErrorCode.REQUEST_TIMED_OUT));
            }
        };
    }

    private static <A, R> R parsed(A message, Function<A, R> parse, Function<ErrorCode, R> failed) {
        try {
            return parse.apply(message);
        } catch (IllegalArgumentException e) {
            return failed.apply(ErrorCode.UNKNOWN_SERVER_ERROR);
        }
    }
}
