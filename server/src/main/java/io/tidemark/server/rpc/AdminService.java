package io.tidemark.server.rpc;

import io.grpc.stub.StreamObserver;
import io.tidemark.model.ErrorCode;
import io.tidemark.runtime.Scheduler;
import io.tidemark.wire.v1.AdminServiceGrpc;
import io.tidemark.wire.v1.AlterTopicRequest;
import io.tidemark.wire.v1.AlterTopicResponse;
import io.tidemark.wire.v1.CreateTopicRequest;
import io.tidemark.wire.v1.CreateTopicResponse;
import io.tidemark.wire.v1.DeleteRecordsRequest;
import io.tidemark.wire.v1.DeleteRecordsResponse;
import io.tidemark.wire.v1.DeleteTopicRequest;
import io.tidemark.wire.v1.DeleteTopicResponse;
import io.tidemark.wire.v1.TransferLeaderRequest;
import io.tidemark.wire.v1.TransferLeaderResponse;

/** Passes changes of the cluster to the controller and deletions of records to the partition's leader, wherever they are. */
public final class AdminService extends AdminServiceGrpc.AdminServiceImplBase {
    private final AdminRoute route;
    private final AdminOperation<DeleteRecordsRequest, DeleteRecordsResponse> deleteRecords;
    private final Scheduler scheduler;
    private final RequestMeters meters;

    /** @param scheduler for pauses between attempts */
    public AdminService(AdminRoute route, LeaderRoute leaders, Scheduler scheduler, StreamContext context) {
        this.route = route;
        this.deleteRecords = AdminOperation.deleteRecords(leaders);
        this.scheduler = scheduler;
        this.meters = context.meters();
    }

    @Override
    public void createTopic(CreateTopicRequest request, StreamObserver<CreateTopicResponse> observer) {
        run(AdminOperation.CREATE_TOPIC, request, new UnaryAnswer<>(observer, meters.of("CreateTopic")));
    }

    @Override
    public void deleteTopic(DeleteTopicRequest request, StreamObserver<DeleteTopicResponse> observer) {
        run(AdminOperation.DELETE_TOPIC, request, new UnaryAnswer<>(observer, meters.of("DeleteTopic")));
    }

    @Override
    public void alterTopic(AlterTopicRequest request, StreamObserver<AlterTopicResponse> observer) {
        run(AdminOperation.ALTER_TOPIC, request, new UnaryAnswer<>(observer, meters.of("AlterTopic")));
    }

    @Override
    public void transferLeader(TransferLeaderRequest request, StreamObserver<TransferLeaderResponse> observer) {
        run(AdminOperation.TRANSFER_LEADER, request, new UnaryAnswer<>(observer, meters.of("TransferLeader")));
    }

    @Override
    public void deleteRecords(DeleteRecordsRequest request, StreamObserver<DeleteRecordsResponse> observer) {
        UnaryAnswer<DeleteRecordsResponse> caller = new UnaryAnswer<>(observer, meters.of("DeleteRecords"));
        String objection = DeleteRecordsMapper.objection(request);
        if (objection.isEmpty()) {
            run(deleteRecords, request, caller);
        } else {
            caller.answer(DeleteRecordsMapper.refused(ErrorCode.INVALID_REQUEST, objection), ErrorCode.INVALID_REQUEST);
        }
    }

    private <Q, A> void run(AdminOperation<Q, A> operation, Q request, UnaryAnswer<A> caller) {
        new AdminCall<>(operation, request, caller, route, scheduler).attempt();
    }
}
