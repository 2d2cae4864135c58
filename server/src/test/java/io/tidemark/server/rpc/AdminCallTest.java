package io.tidemark.server.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.tidemark.core.testkit.ManualClock;
import io.tidemark.core.testkit.ManualScheduler;
import io.tidemark.model.ErrorCode;
import io.tidemark.wire.v1.AlterTopicRequest;
import io.tidemark.wire.v1.AlterTopicResponse;
import io.tidemark.wire.v1.CreateTopicRequest;
import io.tidemark.wire.v1.CreateTopicResponse;
import io.tidemark.wire.v1.DeleteTopicRequest;
import io.tidemark.wire.v1.DeleteTopicResponse;
import io.tidemark.wire.v1.TransferLeaderRequest;
import io.tidemark.wire.v1.TransferLeaderResponse;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

final class AdminCallTest {
    private static final Forwarded<CreateTopicResponse> CREATED = new Forwarded.Answered<>(
            CreateTopicResponse.newBuilder().setTopicId("id").build());
    private static final Forwarded<CreateTopicResponse> EXISTS =
            new Forwarded.Answered<>(ControllerMapper.createRefused(ErrorCode.TOPIC_ALREADY_EXISTS, "topic a exists"));
    private static final Forwarded<CreateTopicResponse> DEPOSED =
            new Forwarded.Answered<>(ControllerMapper.createRefused(ErrorCode.NOT_CONTROLLER, "not the controller"));
    private static final Forwarded<CreateTopicResponse> NOBODY = new Forwarded.NotSent<>("no controller is known");
    private static final Forwarded<CreateTopicResponse> LOST = new Forwarded.Unknown<>("connection broke");

    private final ManualScheduler scheduler = new ManualScheduler(new ManualClock());
    private final FakeCall<CreateTopicResponse> call = new FakeCall<>();
    private final Route route = new Route();

    /** Answers attempts by a script, the last line of it for ever. */
    private static final class Route implements AdminRoute {
        private final Deque<Forwarded<CreateTopicResponse>> script = new ArrayDeque<>();
        private int attempts;

        @Override
        public void createTopic(
                CreateTopicRequest request, Duration timeout, Consumer<Forwarded<CreateTopicResponse>> answer) {
            attempts++;
            answer.accept(script.size() > 1 ? script.remove() : script.element());
        }

        @Override
        public void deleteTopic(
                DeleteTopicRequest request, Duration timeout, Consumer<Forwarded<DeleteTopicResponse>> answer) {
            throw new UnsupportedOperationException("not in these tests");
        }

        @Override
        public void alterTopic(
                AlterTopicRequest request, Duration timeout, Consumer<Forwarded<AlterTopicResponse>> answer) {
            throw new UnsupportedOperationException("not in these tests");
        }

        @Override
        public void transferLeader(
                TransferLeaderRequest request, Duration timeout, Consumer<Forwarded<TransferLeaderResponse>> answer) {
            throw new UnsupportedOperationException("not in these tests");
        }
    }

    private void run(Forwarded<CreateTopicResponse> first, Forwarded<CreateTopicResponse> then) {
        route.script.add(first);
        route.script.add(then);
        RequestMeters meters = new RequestMeters(new SimpleMeterRegistry(), scheduler.clock());
        UnaryAnswer<CreateTopicResponse> caller = new UnaryAnswer<>(call, meters.of("CreateTopic"));
        new AdminCall<>(AdminOperation.CREATE_TOPIC, CreateTopicRequest.getDefaultInstance(), caller, route, scheduler)
                .attempt();
        scheduler.advance(Duration.ofMinutes(2));
    }

    private ErrorCode answeredError() {
        assertThat(call.sent).hasSize(1);
        assertThat(call.completed).isTrue();
        return ErrorCodes.fromWire(call.sent.get(0).getError());
    }

    @Test
    void shouldPassTheControllersAnswerOn() {
        run(CREATED, CREATED);
        assertThat(answeredError()).isEqualTo(ErrorCode.NONE);
        assertThat(route.attempts).isEqualTo(1);
    }

    @Test
    void shouldTryAgainUntilThereIsAController() {
        run(NOBODY, CREATED);
        assertThat(answeredError()).isEqualTo(ErrorCode.NONE);
        assertThat(route.attempts).isEqualTo(2);
    }

    @Test
    void shouldPassARefusalOnAsItIsWhenNothingCameBefore() {
        run(NOBODY, EXISTS);
        assertThat(answeredError()).isEqualTo(ErrorCode.TOPIC_ALREADY_EXISTS);
        assertThat(call.sent.get(0).getErrorMessage()).isEqualTo("topic a exists");
    }

    @Test
    void shouldSayThatARefusalMayBeItsOwnEffectAfterALostAttempt() {
        run(LOST, EXISTS);
        assertThat(answeredError()).isEqualTo(ErrorCode.TOPIC_ALREADY_EXISTS);
        assertThat(call.sent.get(0).getErrorMessage())
                .isEqualTo("topic a exists (an earlier attempt of this call may have been carried out)");
    }

    @Test
    void shouldSayCertainlyNotDoneWhenNobodyWasEverAsked() {
        run(NOBODY, NOBODY);
        assertThat(answeredError()).isEqualTo(ErrorCode.NOT_CONTROLLER);
        assertThat(call.sent.get(0).getErrorMessage()).isEqualTo("no controller is known");
    }

    @Test
    void shouldFailWithOutcomeUnknownWhenAnAttemptMayHaveBeenCarriedOut() {
        run(DEPOSED, NOBODY);
        assertThat(call.sent).isEmpty();
        assertThat(((StatusRuntimeException) call.error).getStatus().getCode())
                .isEqualTo(Status.Code.DEADLINE_EXCEEDED);
    }

    @Test
    void shouldSpaceItsAttempts() {
        run(NOBODY, NOBODY);
        // 20 ms doubling to 500 ms within 30 s
        assertThat(route.attempts).isBetween(50, 70);
    }

    @Test
    void shouldStopWhenTheCallerIsGone() {
        // given
        route.script.add(NOBODY);
        RequestMeters meters = new RequestMeters(new SimpleMeterRegistry(), scheduler.clock());
        UnaryAnswer<CreateTopicResponse> caller = new UnaryAnswer<>(call, meters.of("CreateTopic"));
        AdminCall<CreateTopicRequest, CreateTopicResponse> admin = new AdminCall<>(
                AdminOperation.CREATE_TOPIC, CreateTopicRequest.getDefaultInstance(), caller, route, scheduler);
        admin.attempt();

        // when
        call.cancel();
        scheduler.advance(Duration.ofMinutes(2));

        // then
        assertThat(route.attempts).isEqualTo(1);
        assertThat(scheduler.size()).isZero();
    }
}
