package io.tidemark.server.rpc;

import io.grpc.stub.StreamObserver;
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

/** What brokers ask of the controller, if this one is it; else the answer is NOT_CONTROLLER. On the peers' listener only. */
public final class ControllerService extends ControllerServiceGrpc.ControllerServiceImplBase {
    private final LocalController controller;
    private final RequestMeters meters;

    public ControllerService(LocalController controller, StreamContext context) {
        this.controller = controller;
        this.meters = context.meters();
    }

    @Override
    public void proposeIsr(ProposeIsrRequest request, StreamObserver<ProposeIsrResponse> observer) {
        UnaryAnswer<ProposeIsrResponse> answer = answer(observer, "ProposeIsr");
        controller.proposeIsr(request, reply -> answer.answer(reply, ErrorCodes.fromWire(reply.getError())));
    }

    @Override
    public void controlledShutdown(
            ControlledShutdownRequest request, StreamObserver<ControlledShutdownResponse> observer) {
        UnaryAnswer<ControlledShutdownResponse> answer = answer(observer, "ControlledShutdown");
        controller.controlledShutdown(request, reply -> answer.answer(reply, ErrorCodes.fromWire(reply.getError())));
    }

    @Override
    public void reportDamage(ReportDamageRequest request, StreamObserver<ReportDamageResponse> observer) {
        UnaryAnswer<ReportDamageResponse> answer = answer(observer, "ReportDamage");
        controller.reportDamage(request, reply -> answer.answer(reply, ErrorCodes.fromWire(reply.getError())));
    }

    @Override
    public void allocateProducerIds(
            AllocateProducerIdsRequest request, StreamObserver<AllocateProducerIdsResponse> observer) {
        UnaryAnswer<AllocateProducerIdsResponse> answer = answer(observer, "AllocateProducerIds");
        controller.allocateProducerIds(request, reply -> answer.answer(reply, ErrorCodes.fromWire(reply.getError())));
    }

    @Override
    public void createTopic(CreateTopicRequest request, StreamObserver<CreateTopicResponse> observer) {
        UnaryAnswer<CreateTopicResponse> answer = answer(observer, "ControllerCreateTopic");
        controller.createTopic(request, reply -> answer.answer(reply, ErrorCodes.fromWire(reply.getError())));
    }

    @Override
    public void deleteTopic(DeleteTopicRequest request, StreamObserver<DeleteTopicResponse> observer) {
        UnaryAnswer<DeleteTopicResponse> answer = answer(observer, "ControllerDeleteTopic");
        controller.deleteTopic(request, reply -> answer.answer(reply, ErrorCodes.fromWire(reply.getError())));
    }

    @Override
    public void alterTopic(AlterTopicRequest request, StreamObserver<AlterTopicResponse> observer) {
        UnaryAnswer<AlterTopicResponse> answer = answer(observer, "ControllerAlterTopic");
        controller.alterTopic(request, reply -> answer.answer(reply, ErrorCodes.fromWire(reply.getError())));
    }

    @Override
    public void transferLeader(TransferLeaderRequest request, StreamObserver<TransferLeaderResponse> observer) {
        UnaryAnswer<TransferLeaderResponse> answer = answer(observer, "ControllerTransferLeader");
        controller.transferLeader(request, reply -> answer.answer(reply, ErrorCodes.fromWire(reply.getError())));
    }

    private <A> UnaryAnswer<A> answer(StreamObserver<A> observer, String rpc) {
        return new UnaryAnswer<>(observer, meters.of(rpc));
    }
}
