package io.tidemark.server.rpc;

import io.grpc.stub.StreamObserver;
import io.tidemark.coordination.broker.PeerIdentifier.Identity;
import io.tidemark.coordination.broker.PeerProbe.Outcome;
import io.tidemark.coordination.broker.Push;
import io.tidemark.coordination.controller.BrokerCommands.LogQuery;
import io.tidemark.model.ErrorCode;
import io.tidemark.runtime.EventLoop;
import io.tidemark.wire.internal.v1.BrokerCommandServiceGrpc;
import io.tidemark.wire.internal.v1.DescribeLogEndsRequest;
import io.tidemark.wire.internal.v1.DescribeLogEndsResponse;
import io.tidemark.wire.internal.v1.IdentifyRequest;
import io.tidemark.wire.internal.v1.IdentifyResponse;
import io.tidemark.wire.internal.v1.ProbePeerRequest;
import io.tidemark.wire.internal.v1.ProbePeerResponse;
import io.tidemark.wire.internal.v1.PushRequest;
import io.tidemark.wire.internal.v1.PushResponse;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What controllers tell and ask this broker. Pushes and questions for log ends run on one loop in the order of receipt,
 * whatever stream brought them, and are answered from there. On the peers' listener only.
 */
public final class BrokerCommandService extends BrokerCommandServiceGrpc.BrokerCommandServiceImplBase {
    /** Beyond that many at once this broker has no opinion. */
    private static final int MAX_OPEN_PROBES = 64;

    private final PushTarget pushes;
    private final LogEndsSource logEnds;
    private final Identity identity;
    private final EventLoop loop;
    private final Suspicions suspicions;
    private final StreamContext context;
    private final RequestMeter pushMeter;
    private final RequestMeter identifyMeter;
    private final RequestMeter logEndsMeter;
    private final RequestMeter probeMeter;
    private final AtomicInteger openProbes = new AtomicInteger();
    private final Set<AnswerStream<PushResponse>> streams = ConcurrentHashMap.newKeySet();

    /**
     * What commands are carried out by.
     *
     * @param identity of this process
     * @param loop on which {@code pushes} and {@code logEnds} are called
     */
    public record Targets(
            PushTarget pushes, LogEndsSource logEnds, Identity identity, EventLoop loop, Suspicions suspicions) {}

    public BrokerCommandService(Targets targets, StreamContext context) {
        this.pushes = targets.pushes();
        this.logEnds = targets.logEnds();
        this.identity = targets.identity();
        this.loop = targets.loop();
        this.suspicions = targets.suspicions();
        this.context = context;
        this.pushMeter = context.meters().of("Push");
        this.identifyMeter = context.meters().of("Identify");
        this.logEndsMeter = context.meters().of("DescribeLogEnds");
        this.probeMeter = context.meters().of("ProbePeer");
    }

    /**
     * Tells every controller that has a stream open that this broker's storage failed and that it is about to halt. Returns
     * at once; the caller gives the message a moment (200 ms at most, DESIGN section 5) if anybody was told.
     *
     * @return how many were told
     */
    public int announceStorageFailure() {
        PushResponse message = PushResponse.newBuilder().setStorageFailure(true).build();
        int told = 0;
        for (AnswerStream<PushResponse> stream : streams) {
            stream.sendUnasked(message);
            told++;
        }
        return told;
    }

    @Override
    public StreamObserver<PushRequest> push(StreamObserver<PushResponse> answers) {
        AnswerStream<PushResponse> stream = new AnswerStream<>(answers, StreamBounds.PEER, context, pushMeter);
        StreamObserver<PushRequest> reader = stream.read(this::take);
        streams.add(stream);
        stream.onEnd(() -> {
            streams.remove(stream);
            suspicions.controllerStreamEnded();
        });
        return reader;
    }

    @Override
    public void identify(IdentifyRequest request, StreamObserver<IdentifyResponse> observer) {
        new UnaryAnswer<>(observer, identifyMeter).answer(CommandMapper.toWire(identity), ErrorCode.NONE);
    }

    @Override
    public void probePeer(ProbePeerRequest request, StreamObserver<ProbePeerResponse> observer) {
        UnaryAnswer<ProbePeerResponse> answer = new UnaryAnswer<>(observer, probeMeter);
        if (openProbes.incrementAndGet() > MAX_OPEN_PROBES) {
            openProbes.decrementAndGet();
            answer.answer(CommandMapper.toWire(Outcome.UNKNOWN), ErrorCode.NONE);
            return;
        }
        try {
            suspicions.probe(CommandMapper.fromWire(request), outcome -> {
                openProbes.decrementAndGet();
                answer.answer(CommandMapper.toWire(outcome), ErrorCode.NONE);
            });
        } catch (IllegalArgumentException e) {
            openProbes.decrementAndGet();
            answer.fail(new MalformedRequestException(e));
        }
    }

    @Override
    public void describeLogEnds(DescribeLogEndsRequest request, StreamObserver<DescribeLogEndsResponse> observer) {
        UnaryAnswer<DescribeLogEndsResponse> answer = new UnaryAnswer<>(observer, logEndsMeter);
        List<LogQuery> logs;
        try {
            logs = CommandMapper.fromWire(request);
        } catch (IllegalArgumentException e) {
            answer.fail(new MalformedRequestException(e));
            return;
        }
        loop.execute(() -> {
            try {
                answer.answer(CommandMapper.toWire(logEnds.describe(logs)), ErrorCode.NONE);
            } catch (RuntimeException e) {
                answer.fail(e);
                throw e;
            }
        });
    }

    private void take(PushRequest wire, OpenRequest<PushResponse> request) {
        Push.Request push = parse(wire);
        loop.execute(() -> {
            try {
                request.answer(CommandMapper.toWire(pushes.onPush(push)), ErrorCode.NONE);
            } catch (RuntimeException e) {
                request.fail(e);
                throw e;
            }
        });
    }

    private static Push.Request parse(PushRequest wire) {
        try {
            return CommandMapper.fromWire(wire);
        } catch (IllegalArgumentException e) {
            throw new MalformedRequestException(e);
        }
    }
}
