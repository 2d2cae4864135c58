package io.tidemark.server.rpc;

import io.grpc.StatusRuntimeException;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.tidemark.model.Acks;
import io.tidemark.model.ErrorCode;
import io.tidemark.model.TopicPartition;
import io.tidemark.runtime.Cancellable;
import io.tidemark.runtime.Scheduler;
import io.tidemark.wire.v1.PublishProgress;
import io.tidemark.wire.v1.PublishRequest;
import io.tidemark.wire.v1.PublishStreamResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One caller's stream of records. Thread-safe; nothing is called while the lock is held but the pure {@link PublishedSoFar}.
 *
 * <p>One message is asked for at a time, and only while what is not acknowledged is below {@link #MAX_OPEN_BYTES} and {@link
 * #MAX_OPEN_RECORDS} and the service's budget has room; a record that finds no room is tried again before anything else is
 * read, so that the order stays. The first failure, and the caller's going, call off what is open.
 */
final class PublishStream implements StreamObserver<PublishRequest>, OpenStream {
    static final long MAX_OPEN_BYTES = 1 << 20;
    static final int MAX_OPEN_RECORDS = 10_000;

    private static final Logger LOG = LoggerFactory.getLogger(PublishStream.class);
    private static final Duration ROOM_PAUSE = Duration.ofMillis(10);
    private static final Cancellable UNDER_WAY = () -> {};

    private final ServerCallStreamObserver<PublishStreamResponse> call;
    private final PublishPort publishes;
    private final StreamContext context;
    private final RequestMeter meter;
    private final Scheduler scheduler;
    private final OpenPublishes publishing;
    private final long begunAtNs;
    private final Runnable readOn;

    private final Object lock = new Object();
    private final PublishedSoFar published = new PublishedSoFar();
    private final Map<Long, Open> open = new LinkedHashMap<>();
    private @Nullable Acks acks;
    private long openBytes;
    private boolean asked;
    private boolean halfClosed;
    private boolean finishing;
    private boolean ended;

    /** A record that is not acknowledged. */
    private static final class Open {
        private final Plain.Publication publication;
        private final long sizeBytes;
        private Cancellable handle = UNDER_WAY;
        /** Whether the port has it; what it says before is that it has not. */
        private boolean taken;

        private boolean throttled;

        Open(Plain.Publication publication, long sizeBytes) {
            this.publication = publication;
            this.sizeBytes = sizeBytes;
        }
    }

    PublishStream(
            StreamObserver<PublishStreamResponse> answer,
            PublishPort publishes,
            StreamContext context,
            RequestMeter meter,
            Scheduler scheduler,
            OpenPublishes publishing) {
        this.call = (ServerCallStreamObserver<PublishStreamResponse>) answer;
        this.publishes = publishes;
        this.context = context;
        this.meter = meter;
        this.scheduler = scheduler;
        this.publishing = publishing;
        this.begunAtNs = meter.nowNs();
        this.readOn = () -> call.request(1);
    }

    /** To be called before the service method returns. */
    void begin() {
        call.disableAutoRequest();
        call.setOnCancelHandler(() -> {
            if (end()) {
                meter.answered(begunAtNs, ErrorCode.REQUEST_TIMED_OUT);
            }
        });
        context.streams().add(this);
        publishing.add(this);
        pull();
    }

    @Override
    public void onNext(PublishRequest wire) {
        long number;
        Open record;
        try {
            record = new Open(PlainMapper.publication(wire, acks(wire)), wire.getSerializedSize());
        } catch (MalformedRequestException e) {
            fail(Plain.Failure.write(ErrorCode.INVALID_REQUEST, String.valueOf(e.getMessage()), wire.getTopic()));
            return;
        }
        synchronized (lock) {
            if (ended) {
                return;
            }
            number = published.read();
            open.put(number, record);
            openBytes += record.sizeBytes;
        }
        context.budget().charge(record.sizeBytes);
        publish(number, record);
    }

    /** The first message's counts for all. */
    private Acks acks(PublishRequest wire) {
        Acks chosen = acks;
        if (chosen == null) {
            chosen = PlainMapper.acks(wire);
            acks = chosen;
        }
        return chosen;
    }

    private void publish(long number, Open record) {
        Cancellable handle = publishes.publish(record.publication, outcome -> onOutcome(number, record, outcome));
        boolean late;
        boolean again;
        synchronized (lock) {
            record.handle = handle;
            record.taken = true;
            late = ended;
            again = record.throttled;
            asked = again;
        }
        if (late) {
            handle.cancel();
        } else if (again) {
            scheduler.schedule(ROOM_PAUSE, () -> again(number, record));
        } else {
            proceed();
        }
    }

    private void again(long number, Open record) {
        synchronized (lock) {
            if (ended) {
                return;
            }
            record.taken = false;
            record.throttled = false;
        }
        publish(number, record);
    }

    private void onOutcome(long number, Open record, Plain.Outcome outcome) {
        if (outcome instanceof Plain.Outcome.Published done) {
            acknowledged(number, record, done);
        } else if (outcome instanceof Plain.Outcome.Refused refused && !isToBeTriedAgain(record, refused)) {
            fail(refused.failure());
        }
    }

    /** Only while nothing was read behind it. */
    private boolean isToBeTriedAgain(Open record, Plain.Outcome.Refused refused) {
        synchronized (lock) {
            record.throttled = !record.taken && refused.failure().error() == ErrorCode.THROTTLED;
            return record.throttled;
        }
    }

    private void acknowledged(long number, Open record, Plain.Outcome.Published done) {
        synchronized (lock) {
            if (open.remove(number) == null) {
                return;
            }
            openBytes -= record.sizeBytes;
            published.acknowledged(
                    number, new TopicPartition(record.publication.topic(), done.partition()), done.offset());
        }
        context.budget().release(record.sizeBytes);
        proceed();
    }

    @Override
    public void onError(Throwable cause) {
        // The caller cancelled or is gone: the cancel handler has done everything.
        LOG.debug("the caller of {} is gone: {}", meter.rpc(), cause.getMessage());
    }

    @Override
    public void onCompleted() {
        synchronized (lock) {
            halfClosed = true;
        }
        proceed();
    }

    @Override
    public void finish(@Nullable StatusRuntimeException error) {
        synchronized (lock) {
            finishing = true;
        }
        proceed();
    }

    /** Ends the stream, if nothing is open and nothing will come; reads on else. */
    private void proceed() {
        boolean whole;
        boolean over;
        synchronized (lock) {
            whole = halfClosed && open.isEmpty();
            over = whole || (finishing && open.isEmpty());
        }
        if (!over) {
            pull();
        } else if (whole) {
            succeed();
        } else {
            fail(Plain.Failure.write(ErrorCode.BROKER_SHUTTING_DOWN, "the broker is stopping", ""));
        }
    }

    private void succeed() {
        if (end()) {
            meter.answered(begunAtNs, ErrorCode.NONE);
            deliver(() -> {
                call.onNext(PlainMapper.toWire(published));
                call.onCompleted();
            });
        }
    }

    private void fail(Plain.Failure failure) {
        if (end()) {
            PublishProgress progress = PublishProgress.newBuilder()
                    .setFirstUnacknowledged(published.firstUnacknowledged())
                    .setAcknowledged(published.acknowledged())
                    .build();
            meter.answered(begunAtNs, failure.error());
            deliver(() -> call.onError(Errors.plain(meter.rpc(), failure, progress)));
        }
    }

    /** Whoever ends the stream, once, is alone with {@link #published} and writes the answer. */
    private boolean end() {
        List<Open> left;
        synchronized (lock) {
            if (ended) {
                return false;
            }
            ended = true;
            left = new ArrayList<>(open.values());
            open.clear();
            openBytes = 0;
        }
        context.budget().forget(readOn);
        for (Open record : left) {
            record.handle.cancel();
            context.budget().release(record.sizeBytes);
        }
        context.streams().remove(this);
        publishing.remove(this);
        return true;
    }

    /** Asks for the next message if there is room; comes again after each change that may allow it. */
    private void pull() {
        boolean room = context.budget().hasRoom();
        synchronized (lock) {
            if (ended || finishing || halfClosed || asked) {
                return;
            }
            if (openBytes >= MAX_OPEN_BYTES || open.size() >= MAX_OPEN_RECORDS) {
                return;
            }
            asked = true;
        }
        if (room) {
            call.request(1);
        } else {
            context.budget().whenRoom(readOn);
            forgetIfEnded();
        }
    }

    private void forgetIfEnded() {
        boolean late;
        synchronized (lock) {
            late = ended;
        }
        if (late) {
            context.budget().forget(readOn);
        }
    }

    private void deliver(Runnable step) {
        try {
            step.run();
        } catch (RuntimeException e) {
            // Only a call that the transport closed meanwhile refuses its answer.
            LOG.debug("the answer of {} finds nobody", meter.rpc(), e);
        }
    }
}
