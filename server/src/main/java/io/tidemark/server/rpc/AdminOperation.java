package io.tidemark.server.rpc;

import io.tidemark.model.ErrorCode;
import io.tidemark.runtime.Cancellable;
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
import java.time.Duration;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * What the admin calls have in common.
 *
 * @param attempt asks whoever decides once
 * @param absent what the caller is told if nobody could be asked
 * @param overtaken the answer of somebody who does not decide any more, but may have begun: the next attempt goes elsewhere
 * @param error of an answer
 * @param message of an answer
 * @param refusal makes an answer that says no
 */
record AdminOperation<Q, A>(
        Attempt<Q, A> attempt,
        ErrorCode absent,
        ErrorCode overtaken,
        Function<A, ErrorCode> error,
        Function<A, String> message,
        BiFunction<ErrorCode, String, A> refusal) {
    static final AdminOperation<CreateTopicRequest, CreateTopicResponse> CREATE_TOPIC = ofController(
            AdminRoute::createTopic,
            response -> ErrorCodes.fromWire(response.getError()),
            CreateTopicResponse::getErrorMessage,
            ControllerMapper::createRefused);

    static final AdminOperation<DeleteTopicRequest, DeleteTopicResponse> DELETE_TOPIC = ofController(
            AdminRoute::deleteTopic,
            response -> ErrorCodes.fromWire(response.getError()),
            DeleteTopicResponse::getErrorMessage,
            ControllerMapper::deleteRefused);

    static final AdminOperation<AlterTopicRequest, AlterTopicResponse> ALTER_TOPIC = ofController(
            AdminRoute::alterTopic,
            response -> ErrorCodes.fromWire(response.getError()),
            AlterTopicResponse::getErrorMessage,
            ControllerMapper::alterRefused);

    static final AdminOperation<TransferLeaderRequest, TransferLeaderResponse> TRANSFER_LEADER = ofController(
            AdminRoute::transferLeader,
            response -> ErrorCodes.fromWire(response.getError()),
            TransferLeaderResponse::getErrorMessage,
            ControllerMapper::transferRefused);

    /** Deletes records at the partition's leader; to do it again does no harm. */
    static AdminOperation<DeleteRecordsRequest, DeleteRecordsResponse> deleteRecords(LeaderRoute leaders) {
        return new AdminOperation<>(
                (route, request, timeout, answer) -> leaders.deleteRecords(request, timeout, answer),
                ErrorCode.LEADER_NOT_AVAILABLE,
                ErrorCode.NOT_LEADER_OR_FOLLOWER,
                response -> ErrorCodes.fromWire(response.getError()),
                DeleteRecordsResponse::getErrorMessage,
                DeleteRecordsMapper::refused);
    }

    /** The controller decides, and goes on with what it was asked, whoever still waits. */
    private static <Q, A> AdminOperation<Q, A> ofController(
            ControllerCall<Q, A> call,
            Function<A, ErrorCode> error,
            Function<A, String> message,
            BiFunction<ErrorCode, String, A> refusal) {
        return new AdminOperation<>(
                (route, request, timeout, answer) -> {
                    call.send(route, request, timeout, answer);
                    return () -> {};
                },
                ErrorCode.NOT_CONTROLLER,
                ErrorCode.NOT_CONTROLLER,
                error,
                message,
                refusal);
    }

    /** One way through an {@link AdminRoute}. */
    @FunctionalInterface
    private interface ControllerCall<Q, A> {
        void send(AdminRoute route, Q request, Duration timeout, Consumer<Forwarded<A>> answer);
    }

    /** One way to whoever decides. */
    @FunctionalInterface
    interface Attempt<Q, A> {
        /** @return for a caller that is gone */
        Cancellable send(AdminRoute route, Q request, Duration timeout, Consumer<Forwarded<A>> answer);
    }
}
