package io.tidemark.server.rpc;

import io.tidemark.model.ErrorCode;
import io.tidemark.runtime.Cancellable;
import io.tidemark.runtime.Scheduler;
import java.time.Duration;
import java.util.concurrent.TimeoutException;

/**
 * One admin call on its way to whoever decides, the controller or a partition's leader: tried again while there is none or no
 * answer, until shortly before the caller's own deadline. Its steps follow each other, so it needs no lock.
 *
 * <p>If every attempt certainly did nothing the caller is told so (NOT_CONTROLLER, LEADER_NOT_AVAILABLE); if one may have been
 * carried out, the call fails with DEADLINE_EXCEEDED, which means "outcome unknown". A refusal after such an attempt says so, for
 * the refusal may be the attempt's own effect (a topic that exists already).
 */
final class AdminCall<Q, A> {
    private static final Duration WITHOUT_DEADLINE = Duration.ofSeconds(30);
    private static final Duration FIRST_PAUSE = Duration.ofMillis(20);
    private static final Duration LONGEST_PAUSE = Duration.ofMillis(500);
    /** Left to carry the answer to the caller. */
    private static final Duration RESERVE = Duration.ofMillis(50);

    private final AdminOperation<Q, A> operation;
    private final Q request;
    private final UnaryAnswer<A> caller;
    private final AdminRoute route;
    private final Scheduler scheduler;

    private Duration pause = FIRST_PAUSE;
    private Duration leftWithoutDeadline = WITHOUT_DEADLINE;
    private boolean mayBeDone;

    AdminCall(AdminOperation<Q, A> operation, Q request, UnaryAnswer<A> caller, AdminRoute route, Scheduler scheduler) {
        this.operation = operation;
        this.request = request;
        this.caller = caller;
        this.route = route;
        this.scheduler = scheduler;
    }

    void attempt() {
        if (caller.isWanted()) {
            Cancellable underWay = operation.attempt().send(route, request, timeLeft(), this::onReply);
            caller.whenGone(underWay::cancel);
        }
    }

    private void onReply(Forwarded<A> reply) {
        if (reply instanceof Forwarded.Answered<A> answered) {
            A message = answered.message();
            if (operation.error().apply(message) != operation.overtaken()) {
                finish(message);
                return;
            }
            // One that is deposed answers so for what it had begun.
            mayBeDone = true;
            again(operation.message().apply(message));
        } else if (reply instanceof Forwarded.NotSent<A> notSent) {
            again(notSent.reason());
        } else if (reply instanceof Forwarded.Unknown<A> unknown) {
            mayBeDone = true;
            again(unknown.reason());
        }
    }

    private void finish(A message) {
        ErrorCode error = operation.error().apply(message);
        boolean ownEffect = mayBeDone && error != ErrorCode.NONE;
        String text =
                operation.message().apply(message) + " (an earlier attempt of this call may have been carried out)";
        caller.answer(ownEffect ? operation.refusal().apply(error, text) : message, error);
    }

    private void again(String reason) {
        Duration wait = pause;
        if (timeLeft().minus(wait).compareTo(RESERVE) > 0) {
            pause = shorter(pause.multipliedBy(2), LONGEST_PAUSE);
            leftWithoutDeadline = leftWithoutDeadline.minus(wait);
            scheduler.schedule(wait, this::attempt);
        } else if (mayBeDone) {
            caller.fail(new TimeoutException("no answer in time, outcome unknown: " + reason));
        } else {
            caller.answer(operation.refusal().apply(operation.absent(), reason), operation.absent());
        }
    }

    private Duration timeLeft() {
        return caller.timeLeft(leftWithoutDeadline);
    }

    private static Duration shorter(Duration a, Duration b) {
        return a.compareTo(b) < 0 ? a : b;
    }
}
