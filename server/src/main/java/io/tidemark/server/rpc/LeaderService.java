package io.tidemark.server.rpc;

import io.grpc.stub.StreamObserver;
import io.tidemark.model.ErrorCode;
import io.tidemark.runtime.Cancellable;
import io.tidemark.wire.internal.v1.LeaderServiceGrpc;
import io.tidemark.wire.v1.DeleteRecordsRequest;
import io.tidemark.wire.v1.DeleteRecordsResponse;
import java.time.Duration;

/** What clients asked of another broker and only this one, as a partition's leader, can do. On the peers' listener only. */
public final class LeaderService extends LeaderServiceGrpc.LeaderServiceImplBase {
    private static final Duration WITHOUT_DEADLINE = Duration.ofSeconds(30);

    private final LocalLeader leader;
    private final RequestMeter meter;

    public LeaderService(LocalLeader leader, StreamContext context) {
        this.leader = leader;
        this.meter = context.meters().of("LeaderDeleteRecords");
    }

    @Override
    public void deleteRecords(DeleteRecordsRequest request, StreamObserver<DeleteRecordsResponse> observer) {
        UnaryAnswer<DeleteRecordsResponse> answer = new UnaryAnswer<>(observer, meter);
        String objection = DeleteRecordsMapper.objection(request);
        if (!objection.isEmpty()) {
            answer.answer(DeleteRecordsMapper.refused(ErrorCode.INVALID_REQUEST, objection), ErrorCode.INVALID_REQUEST);
            return;
        }
        Cancellable deletion = leader.deleteRecords(
                request,
                answer.timeLeft(WITHOUT_DEADLINE),
                response -> answer.answer(response, ErrorCodes.fromWire(response.getError())));
        answer.whenGone(deletion::cancel);
    }
}
