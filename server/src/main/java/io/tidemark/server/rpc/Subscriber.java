package io.tidemark.server.rpc;

import io.grpc.StatusRuntimeException;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.tidemark.model.ErrorCode;
import io.tidemark.runtime.Cancellable;
import io.tidemark.runtime.EventLoop;
import io.tidemark.wire.v1.SubscribeRequest;
import io.tidemark.wire.v1.SubscribeResponse;
import io.tidemark.wire.v1.Subscription;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One caller that reads. Lives on the port's loop, where the transport's events arrive as tasks; so there is one writer and
 * no lock.
 *
 * <pre>
 *   state     in                          out
 *   OPENED    too many that read          fails: RESOURCE_EXHAUSTED
 *             else                        WAITING
 *   WAITING   start                       READING
 *             anything else, nothing for {@link #START_WITHIN}   fails: INVALID_ARGUMENT
 *   READING   credit                      more may be sent
 *             start, credit without credit_bytes, a sum beyond 64 bits   fails: INVALID_ARGUMENT
 *             the caller closes its side  with credit: ends when the credit does not suffice any more; without: goes on
 *             the end of all partitions   ends
 *   any       cancel, deadline, stop      ends, and releases what it holds at once
 * </pre>
 *
 * <p>Records are asked for one slice at a time, only while the transport is ready (grpc/grpc-java#7584) and the credit allows
 * some; nothing is fetched for a caller that does not read. So it holds at most {@link #SLICE_BYTES} that were fetched, or one
 * batch of each leader where that is larger, and what one slice puts into the transport; and there are at most {@link
 * #MAX_READING} (docs/decisions/0004 has the product).
 */
final class Subscriber implements OpenStream {
    /** Of records in one message; a larger record comes alone. */
    static final long SLICE_BYTES = 256 << 10;

    /** Of one broker. */
    static final int MAX_READING = 512;

    /** A call that says nothing must not keep others out. */
    static final Duration START_WITHIN = Duration.ofSeconds(30);

    private static final Logger LOG = LoggerFactory.getLogger(Subscriber.class);

    private final ServerCallStreamObserver<SubscribeResponse> call;
    private final SubscribePort port;
    private final EventLoop loop;
    private final OpenStreams streams;
    private final RequestMeter meter;
    private final AtomicInteger reading;
    private final long begunAtNs;

    private SubscribePort.@Nullable Reading source;
    private Cancellable startTimer = () -> {};
    private Credit credit = new Credit(0);
    private long demandedBytes;
    private long tooHeavyBytes;
    private boolean halfClosed;
    private boolean ended;

    /** @param reading counts those that read */
    Subscriber(
            StreamObserver<SubscribeResponse> answers,
            SubscribePort port,
            OpenStreams streams,
            RequestMeter meter,
            AtomicInteger reading) {
        this.call = (ServerCallStreamObserver<SubscribeResponse>) answers;
        this.port = port;
        this.loop = port.loop();
        this.streams = streams;
        this.meter = meter;
        this.reading = reading;
        this.begunAtNs = meter.nowNs();
    }

    /** To be called before the service method returns. */
    void begin() {
        int number = reading.incrementAndGet();
        call.disableAutoRequest();
        call.setOnReadyHandler(() -> loop.execute(this::flow));
        call.setOnCancelHandler(() -> loop.execute(() -> end(ErrorCode.NONE, () -> {})));
        streams.add(this);
        loop.execute(() -> opened(number));
    }

    private void opened(int number) {
        if (ended) {
            return;
        }
        if (number > MAX_READING) {
            refuse(ErrorCode.THROTTLED, "the broker has " + MAX_READING + " subscribers, and takes no more");
            return;
        }
        startTimer = loop.schedule(START_WITHIN, () -> {
            if (source == null) {
                refuse(
                        ErrorCode.INVALID_REQUEST,
                        "the first message must have a start, and none came within " + START_WITHIN.toSeconds() + " s");
            }
        });
        call.request(1);
    }

    /** The incoming side: one message at a time. */
    StreamObserver<SubscribeRequest> requests() {
        return new StreamObserver<>() {
            @Override
            public void onNext(SubscribeRequest message) {
                loop.execute(() -> take(message));
            }

            @Override
            public void onError(Throwable cause) {
                // The caller cancelled or is gone: the cancel handler has done everything.
                LOG.debug("the caller of {} is gone: {}", meter.rpc(), cause.getMessage());
            }

            @Override
            public void onCompleted() {
                loop.execute(Subscriber.this::closedByCaller);
            }
        };
    }

    @Override
    public void finish(@Nullable StatusRuntimeException error) {
        loop.execute(() -> end(ErrorCode.BROKER_SHUTTING_DOWN, () -> {
            if (error == null) {
                call.onCompleted();
            } else {
                call.onError(error);
            }
        }));
    }

    private void take(SubscribeRequest message) {
        if (ended) {
            return;
        }
        try {
            switch (message.getMessageCase()) {
                case START -> start(message.getStart());
                case CREDIT -> grant(message.getCredit().getBytes());
                case MESSAGE_NOT_SET -> throw PlainMapper.malformed("a message needs a start or a credit");
            }
        } catch (MalformedRequestException e) {
            refuse(ErrorCode.INVALID_REQUEST, String.valueOf(e.getMessage()));
            return;
        }
        call.request(1);
    }

    private void start(Subscription wire) {
        if (source != null) {
            throw PlainMapper.malformed("only the first message may have a start");
        }
        Plain.Selection selection = PlainMapper.selection(wire);
        credit = new Credit(wire.getCreditBytes());
        SubscribePort.Reading opened = port.open(selection, PlainMapper::weightBytes, new Records());
        source = opened;
        startTimer.cancel();
        opened.start();
        flow();
    }

    private void grant(long bytes) {
        if (source == null) {
            throw PlainMapper.malformed("the first message must have a start");
        }
        if (!credit.isBounded()) {
            throw PlainMapper.malformed("a subscription without credit_bytes takes no credit");
        }
        if (bytes < 1) {
            throw PlainMapper.malformed("credit must be at least 1 byte");
        }
        if (!credit.tryGrant(bytes)) {
            throw PlainMapper.malformed("the sum of the credit does not fit 64 bits");
        }
        flow();
    }

    private void closedByCaller() {
        halfClosed = true;
        if (!ended && source == null) {
            refuse(ErrorCode.INVALID_REQUEST, "the first message must have a start");
        } else {
            flow();
        }
    }

    /** Asks for the next slice, if it may be sent. */
    private void flow() {
        SubscribePort.Reading from = source;
        if (ended || from == null) {
            return;
        }
        long allowedBytes = Math.min(SLICE_BYTES, credit.leftBytes());
        if (tooHeavyBytes > 0) {
            allowedBytes = credit.admits(tooHeavyBytes) ? tooHeavyBytes : 0;
        }
        if (allowedBytes <= 0) {
            endIfClosed();
        } else if (call.isReady() && allowedBytes != demandedBytes) {
            demandedBytes = allowedBytes;
            from.demand(allowedBytes);
        }
    }

    /** Who closed its side will give no more credit. */
    private void endIfClosed() {
        if (halfClosed) {
            end(ErrorCode.NONE, call::onCompleted);
        }
    }

    private void refuse(ErrorCode error, String why) {
        fail(new Plain.Failure(Plain.Failure.Kind.READ, error, error.outcome(), why, Plain.About.topic("")));
    }

    private void fail(Plain.Failure failure) {
        end(failure.error(), () -> call.onError(Errors.plain(meter.rpc(), failure)));
    }

    private void end(ErrorCode error, Runnable last) {
        if (ended) {
            return;
        }
        ended = true;
        startTimer.cancel();
        SubscribePort.Reading open = source;
        if (open != null) {
            open.close();
        }
        streams.remove(this);
        reading.decrementAndGet();
        meter.answered(begunAtNs, error);
        write(last);
    }

    private void write(Runnable step) {
        try {
            step.run();
        } catch (RuntimeException e) {
            // The transport closed the call first, and its cancel callback says the rest.
            LOG.debug("{} was closed already", meter.rpc(), e);
        }
    }

    /** What the port says. */
    private final class Records implements SubscribePort.Listener {
        @Override
        public void onRecords(Plain.Slice slice) {
            demandedBytes = 0;
            tooHeavyBytes = 0;
            slice.records().forEach(record -> credit.spend(PlainMapper.weightBytes(record)));
            write(() -> call.onNext(PlainMapper.toWire(slice)));
            flow();
        }

        @Override
        public void onTooHeavy(long weightBytes) {
            tooHeavyBytes = weightBytes;
            flow();
        }

        @Override
        public void onEnd() {
            end(ErrorCode.NONE, call::onCompleted);
        }

        @Override
        public void onFailure(Plain.Failure failure) {
            fail(failure);
        }
    }
}
