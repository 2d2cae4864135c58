package io.tidemark.server.rpc;

import io.grpc.stub.StreamObserver;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.tidemark.model.ErrorCode;
import io.tidemark.runtime.Cancellable;
import io.tidemark.runtime.Scheduler;
import io.tidemark.wire.v1.PlainServiceGrpc;
import io.tidemark.wire.v1.PublishRequest;
import io.tidemark.wire.v1.PublishResponse;
import io.tidemark.wire.v1.PublishStreamResponse;
import io.tidemark.wire.v1.SubscribeRequest;
import io.tidemark.wire.v1.SubscribeResponse;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Records in, records out, for programs that have nothing but generated stubs (DESIGN section 7; {@code plain.proto} is the
 * reference, docs/decisions/0004 the reason for the two ports).
 *
 * <p><b>Memory.</b> Records to publish are charged, from their receipt to their answer, to a budget of this service: at the
 * budget a unary call is refused with RESOURCE_EXHAUSTED, and a stream is not read on. It is not the budget of the listener's
 * other requests: a publish waits for an answer to a produce request, maybe of this very listener, which must therefore never
 * wait for publishes. One stream holds at most {@link PublishStream#MAX_OPEN_BYTES} and one record, one subscriber {@link
 * Subscriber#SLICE_BYTES} fetched and as many in the transport, or one batch of each leader where that is larger.
 */
public final class PlainService extends PlainServiceGrpc.PlainServiceImplBase {
    private final PublishPort publishes;
    private final SubscribePort subscriptions;
    private final StreamContext context;
    private final Scheduler scheduler;
    private final OpenPublishes open = new OpenPublishes();
    private final AtomicInteger subscribers = new AtomicInteger();
    private final RequestMeter publishMeter;
    private final RequestMeter streamMeter;
    private final RequestMeter subscribeMeter;

    /**
     * @param scheduler for pauses while a stream's record finds no room
     * @param context of the listener, with a budget of its own
     */
    public PlainService(
            PublishPort publishes, SubscribePort subscriptions, StreamContext context, Scheduler scheduler) {
        this.publishes = publishes;
        this.subscriptions = subscriptions;
        this.context = context;
        this.scheduler = scheduler;
        this.publishMeter = context.meters().of("Publish");
        this.streamMeter = context.meters().of("PublishStream");
        this.subscribeMeter = context.meters().of("Subscribe");
    }

    /** Shows what callers hold. */
    public void meter(MeterRegistry registry) {
        Gauge.builder("tidemark.plain.inflight", context.budget(), InFlightBytes::bytes)
                .baseUnit("bytes")
                .register(registry);
        Gauge.builder("tidemark.plain.publishes", open, OpenPublishes::count).register(registry);
        Gauge.builder("tidemark.plain.subscribers", subscribers, AtomicInteger::get)
                .register(registry);
    }

    /**
     * The first step of a stop: publishes that come are refused with UNAVAILABLE, streams are read no further, and what was taken
     * is answered; waits for that at most {@code limit}.
     */
    public void stopPublishing(Duration limit) {
        open.stop(limit);
    }

    @Override
    public void publish(PublishRequest wire, StreamObserver<PublishResponse> observer) {
        UnaryAnswer<PublishResponse> answer = new UnaryAnswer<>(observer, publishMeter);
        Plain.Publication publication;
        try {
            publication = PlainMapper.publication(wire, PlainMapper.acks(wire));
        } catch (MalformedRequestException e) {
            refuse(answer, ErrorCode.INVALID_REQUEST, String.valueOf(e.getMessage()), wire.getTopic());
            return;
        }
        if (!context.budget().hasRoom()) {
            refuse(answer, ErrorCode.THROTTLED, "the broker has no room for the record now", wire.getTopic());
        } else if (!open.tryBegin()) {
            refuse(answer, ErrorCode.BROKER_SHUTTING_DOWN, "the broker is stopping", wire.getTopic());
        } else {
            publish(publication, wire.getSerializedSize(), answer);
        }
    }

    private void publish(Plain.Publication publication, long sizeBytes, UnaryAnswer<PublishResponse> answer) {
        AtomicBoolean released = new AtomicBoolean();
        Runnable release = () -> {
            if (released.compareAndSet(false, true)) {
                context.budget().release(sizeBytes);
                open.end();
            }
        };
        context.budget().charge(sizeBytes);
        Cancellable publishing;
        try {
            publishing = publishes.publish(publication, outcome -> {
                answer(answer, outcome);
                release.run();
            });
        } catch (RuntimeException e) {
            // A defect: the caller is told, and what the record held is free.
            release.run();
            answer.fail(e);
            return;
        }
        answer.whenGone(() -> {
            publishing.cancel();
            release.run();
        });
    }

    private static void answer(UnaryAnswer<PublishResponse> answer, Plain.Outcome outcome) {
        if (outcome instanceof Plain.Outcome.Published published) {
            answer.answer(
                    PublishResponse.newBuilder()
                            .setPartition(published.partition())
                            .setOffset(published.offset())
                            .build(),
                    ErrorCode.NONE);
        } else if (outcome instanceof Plain.Outcome.Refused refused) {
            fail(answer, refused.failure());
        }
    }

    private static void refuse(UnaryAnswer<PublishResponse> answer, ErrorCode error, String why, String topic) {
        fail(answer, Plain.Failure.write(error, why, topic));
    }

    private static void fail(UnaryAnswer<PublishResponse> answer, Plain.Failure failure) {
        answer.fail(Errors.plain("Publish", failure), failure.error());
    }

    @Override
    public StreamObserver<PublishRequest> publishStream(StreamObserver<PublishStreamResponse> answer) {
        PublishStream stream = new PublishStream(answer, publishes, context, streamMeter, scheduler, open);
        stream.begin();
        return stream;
    }

    @Override
    public StreamObserver<SubscribeRequest> subscribe(StreamObserver<SubscribeResponse> answers) {
        Subscriber subscriber = new Subscriber(answers, subscriptions, context.streams(), subscribeMeter, subscribers);
        subscriber.begin();
        return subscriber.requests();
    }
}
