package io.tidemark.replication.fetch;

import io.tidemark.core.log.LeaderEpochs.EpochEnd;
import io.tidemark.core.log.ReadRequest.Minimum;
import io.tidemark.core.purgatory.Completion;
import io.tidemark.core.purgatory.Completion.Ending;
import io.tidemark.core.purgatory.DelayedOperation;
import io.tidemark.core.purgatory.Purgatory;
import io.tidemark.core.runtime.KafkaStorageException;
import io.tidemark.model.ErrorCode;
import io.tidemark.model.TopicPartition;
import io.tidemark.replication.LocalReplicas;
import io.tidemark.replication.fetch.FetchSession.Tracked;
import io.tidemark.replication.fetch.FetchSessions.Admission;
import io.tidemark.replication.partition.Advance;
import io.tidemark.replication.partition.FollowerCount;
import io.tidemark.replication.partition.FollowerRead;
import io.tidemark.replication.partition.Partition;
import io.tidemark.runtime.Cancellable;
import io.tidemark.runtime.Clock;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Followers' fetches. See {@link FetchHandler#fetchAsReplica}. */
final class ReplicaFetches {
    private static final Cancellable NOTHING_WAITS = () -> {};

    private final LocalReplicas replicas;
    private final FetchSessions sessions;
    private final Purgatory<Long, DelayedOperation> waiting;
    private final SourceThrottle throttle;
    private final Clock clock;
    private final ColdReads coldReads;
    private final FetchSettings settings;

    ReplicaFetches(LocalReplicas replicas, FetchWaits waits, Clock clock, ColdReads coldReads, FetchSettings settings) {
        this.replicas = replicas;
        this.sessions = waits.sessions();
        this.waiting = waits.followers();
        this.throttle = waits.throttle();
        this.clock = clock;
        this.coldReads = coldReads;
        this.settings = settings;
    }

    /** One request on its way to its answer; {@code refused} was found while counting and is told in any case. */
    private record Exchange(
            FetchSession session,
            ReplicaFetch.Request request,
            List<ReplicaFetch.Result> refused,
            Consumer<ReplicaFetch.Answer> answer) {}

    /** One pass over a session's marked partitions. */
    private static final class Pass {
        private final Reach reach;
        private final List<ReplicaFetch.Result> results = new ArrayList<>();
        private final List<Tracked> told = new ArrayList<>();
        private final List<Tracked> untold = new ArrayList<>();
        private long leftBytes;
        private long availableBytes;
        private long throttledBytes;
        private boolean held;
        private boolean foundData;
        private boolean mustTell;

        private Pass(Reach reach, long limitBytes) {
            this.reach = reach;
            this.leftBytes = limitBytes;
        }
    }

    Cancellable fetch(ReplicaFetch.Request request, Consumer<ReplicaFetch.Answer> answer) {
        Admission admission = sessions.admit(request);
        admission.ended().forEach(ended -> waiting.signal(ended.id()));
        FetchSession session = admission.session();
        if (session == null) {
            answer.accept(ReplicaFetch.Answer.failed(admission.error()));
            return NOTHING_WAITS;
        }
        List<ReplicaFetch.Result> refused = count(session, request);
        Exchange exchange = new Exchange(session, request, refused, answer);
        if (!session.isCold()) {
            return firstPass(exchange, Reach.ALL);
        }
        HandedOver handed = new HandedOver(() -> sessions.end(session));
        Exchange wanted = new Exchange(session, request, refused, handed.unlessCancelled(answer));
        boolean taken = coldReads.tryRun(() -> handed.run(() -> firstPass(wanted, Reach.ALL)));
        return taken ? handed : firstPass(exchange, Reach.HOT_ONLY);
    }

    private Cancellable firstPass(Exchange exchange, Reach reach) {
        ReplicaFetch.Request request = exchange.request;
        if (exchange.session.isClosed()) {
            exchange.answer.accept(ReplicaFetch.Answer.failed(ErrorCode.FETCH_SESSION_ID_NOT_FOUND));
            return NOTHING_WAITS;
        }
        Pass pass = read(exchange, reach);
        boolean enough = pass.mustTell || pass.availableBytes >= request.minBytes();
        if (enough || !exchange.refused.isEmpty() || request.maxWaitMs() <= 0) {
            deliver(exchange, pass);
            return NOTHING_WAITS;
        }
        return park(exchange, pass);
    }

    private Cancellable park(Exchange exchange, Pass pass) {
        FetchSession session = exchange.session;
        session.restoreMarks(pass.untold);
        session.restoreMarks(pass.told);
        DelayedReplicaFetch operation = new DelayedReplicaFetch(
                session,
                exchange.request.minBytes(),
                Duration.ofMillis(exchange.request.maxWaitMs()),
                completion -> onWaitEnded(exchange, completion));
        waiting.checkAndMaybeWatch(operation, List.of(session.id()));
        return () -> waiting.cancel(operation);
    }

    private void onWaitEnded(Exchange exchange, Completion completion) {
        if (completion.ending() == Ending.CANCELLED) {
            sessions.end(exchange.session);
        } else {
            coldReads.run(exchange.session.isCold(), reach -> lastPass(exchange, reach));
        }
    }

    private void lastPass(Exchange exchange, Reach reach) {
        if (exchange.session.isClosed()) {
            exchange.answer.accept(ReplicaFetch.Answer.failed(ErrorCode.FETCH_SESSION_ID_NOT_FOUND));
        } else {
            deliver(exchange, read(exchange, reach));
        }
    }

    /** All that the follower has proved counts before anything is read for it (DESIGN section 5). */
    private List<ReplicaFetch.Result> count(FetchSession session, ReplicaFetch.Request request) {
        long nowNs = clock.monotonicNs();
        List<ReplicaFetch.Result> refused = new ArrayList<>();
        Set<TopicPartition> changed = new TreeSet<>();
        for (FetchEntry entry : request.changed()) {
            changed.add(entry.partition());
            Tracked at = session.tracked(entry.partition());
            // An entry that a later one of the same request replaced counts for nothing.
            if (at != null && at.entry().equals(entry)) {
                ReplicaFetch.Result result = count(session, at, nowNs);
                if (result != null) {
                    refused.add(result);
                }
            }
        }
        long intervalNs = settings.roundInterval().toNanos();
        for (Partition partition : session.dueRound(changed, nowNs, intervalNs)) {
            signal(partition.partition(), partition.onSessionRound(session.follower(), nowNs));
        }
        return refused;
    }

    private ReplicaFetch.@Nullable Result count(FetchSession session, Tracked at, long nowNs) {
        FetchEntry entry = at.entry();
        Optional<Partition> found = replicas.partition(entry.partition());
        if (found.isEmpty()) {
            return refused(entry, ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, -1);
        }
        Partition partition = found.get();
        FollowerCount outcome;
        try {
            outcome = partition.countFollowerFetch(entry, session.follower(), nowNs);
        } catch (KafkaStorageException e) {
            replicas.storageFailures().onStorageFailure(e);
            return refused(entry, ErrorCode.KAFKA_STORAGE_ERROR, -1);
        }
        if (outcome instanceof FollowerCount.Counted counted) {
            session.counted(at, partition);
            signal(entry.partition(), counted.advance());
            replicas.signals().followersMoved(entry.partition());
            return null;
        }
        if (outcome instanceof FollowerCount.Diverging diverging) {
            return diverging(entry, partition, diverging.end());
        }
        FollowerCount.Refused refused = (FollowerCount.Refused) outcome;
        return refused(entry, refused.error(), refused.logStartOffset());
    }

    private void signal(TopicPartition partition, Advance advance) {
        if (advance.moved()) {
            replicas.signals().advanced(partition, advance);
        }
    }

    private Pass read(Exchange exchange, Reach reach) {
        Pass pass = new Pass(reach, Math.min(exchange.request.maxBytes(), settings.responseMaxBytes()));
        for (Tracked at : exchange.session.takeMarked()) {
            Partition partition = exchange.session.source(at);
            if (partition != null) {
                read(exchange.session, pass, at, partition);
            }
        }
        if (pass.held) {
            throttle.await(exchange.session);
        }
        return pass;
    }

    private void read(FetchSession session, Pass pass, Tracked at, Partition partition) {
        FetchEntry entry = at.entry();
        if (pass.reach == Reach.HOT_ONLY && ColdReads.isCold(partition.log(), entry.fetchOffset())) {
            pass.mustTell = true;
            session.refused(at);
            pass.results.add(refused(entry, ErrorCode.THROTTLED, -1));
            return;
        }
        Allowance allowance = throttle.allowance(partition, session.follower().brokerId(), pass.throttledBytes);
        // Before the read: what is appended after it calls for another one, not for an empty answer.
        long endPosition = partition.log().end().position();
        FollowerRead outcome;
        try {
            outcome = partition.readForFollower(entry, limitBytes(pass, entry, allowance), minimum(pass, allowance));
        } catch (KafkaStorageException e) {
            replicas.storageFailures().onStorageFailure(e);
            outcome = new FollowerRead.Refused(ErrorCode.KAFKA_STORAGE_ERROR, -1);
        }
        if (outcome instanceof FollowerRead.Data data) {
            if (allowance == Allowance.HELD) {
                pass.held = true;
            } else {
                pass.throttledBytes +=
                        allowance == Allowance.COUNTED ? data.batches().remaining() : 0;
                pass.availableBytes += Math.max(data.batches().remaining(), endPosition - data.fetchPosition());
            }
            session.readAt(at, data.fetchPosition(), allowance);
            found(session, pass, at, data);
            return;
        }
        pass.mustTell = true;
        session.refused(at);
        if (outcome instanceof FollowerRead.Diverging diverging) {
            pass.results.add(diverging(entry, partition, diverging.end()));
        } else {
            FollowerRead.Refused refused = (FollowerRead.Refused) outcome;
            pass.results.add(refused(entry, refused.error(), refused.logStartOffset()));
        }
    }

    private int limitBytes(Pass pass, FetchEntry entry, Allowance allowance) {
        int allowedBytes = switch (allowance) {
            case FREE -> entry.maxBytes();
            case COUNTED -> Math.min(entry.maxBytes(), throttle.chunkBytes());
            case HELD -> 0;
        };
        return (int) Math.max(0, Math.min(allowedBytes, pass.leftBytes));
    }

    private static Minimum minimum(Pass pass, Allowance allowance) {
        return pass.foundData || allowance == Allowance.HELD ? Minimum.NONE : Minimum.ONE_BATCH;
    }

    private static void found(FetchSession session, Pass pass, Tracked at, FollowerRead.Data data) {
        int sizeBytes = data.batches().remaining();
        pass.leftBytes -= sizeBytes;
        pass.foundData |= sizeBytes > 0;
        if (sizeBytes == 0 && session.availableBytes(at) > 0) {
            // No room was left for it, or it came meanwhile: first in the next answer.
            pass.untold.add(at);
        } else if (sizeBytes > 0 || session.isNews(at, data.highWatermark(), data.logStartOffset())) {
            pass.told.add(at);
            pass.results.add(new ReplicaFetch.Result(
                    at.entry().partition(),
                    ErrorCode.NONE,
                    data.highWatermark(),
                    data.logStartOffset(),
                    data.batches(),
                    null));
        }
    }

    private void deliver(Exchange exchange, Pass pass) {
        FetchSession session = exchange.session;
        List<ReplicaFetch.Result> results = new ArrayList<>(exchange.refused);
        results.addAll(pass.results);
        for (ReplicaFetch.Result result : pass.results) {
            session.told(result);
        }
        if (pass.throttledBytes > 0) {
            throttle.passed(pass.throttledBytes);
        }
        session.restoreMarks(pass.untold);
        session.finish();
        exchange.answer.accept(new ReplicaFetch.Answer(ErrorCode.NONE, session.id(), results));
    }

    private static ReplicaFetch.Result diverging(FetchEntry entry, Partition partition, EpochEnd end) {
        return new ReplicaFetch.Result(
                entry.partition(),
                ErrorCode.NONE,
                partition.view().highWatermark(),
                partition.log().startOffset(),
                ByteBuffer.allocate(0),
                end);
    }

    private static ReplicaFetch.Result refused(FetchEntry entry, ErrorCode error, long logStartOffset) {
        return new ReplicaFetch.Result(entry.partition(), error, -1, logStartOffset, ByteBuffer.allocate(0), null);
    }
}
