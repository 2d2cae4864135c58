package io.tidemark.replication.fetch;

import io.tidemark.model.ErrorCode;
import io.tidemark.model.TopicPartition;
import io.tidemark.replication.partition.Follower;
import io.tidemark.runtime.Randomness;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * The incremental fetch sessions that followers have with this broker. Thread-safe.
 *
 * <p>The contract, by session id and epoch of a request:
 *
 * <pre>
 * id 0, epoch 0        | a new session with the named partitions. It replaces the broker's sessions of an older
 *                      | life and those that hold one of the partitions: they were the same fetcher's
 * id 0, other epoch    | INVALID_FETCH_SESSION_EPOCH
 * id 0, but a later    | STALE_BROKER_EPOCH
 *   life has a session |
 * id unknown, or of    | FETCH_SESSION_ID_NOT_FOUND
 *   another follower   |
 * epoch = last + 1     | the next request, unless one is still under way
 * any other epoch      | INVALID_FETCH_SESSION_EPOCH; the session is as before
 * </pre>
 *
 * <p>A follower that cannot go on opens a new session with all its positions, so nothing is lost with one.
 */
public final class FetchSessions {
    private final FetchSettings settings;
    private final Randomness randomness;

    /** By id, the one that was silent for longest first. Guarded by this. */
    private final LinkedHashMap<Long, FetchSession> sessions = new LinkedHashMap<>();

    /** Which sessions hold a partition; lists are replaced under the lock and read without it. Never iterated. */
    private final ConcurrentMap<TopicPartition, List<FetchSession>> holders = new ConcurrentHashMap<>();

    /**
     * What became of a request.
     *
     * @param session in which it goes on, or null if it is refused with {@code error}
     * @param ended sessions that it ended: what waits in them is to be answered
     */
    record Admission(@Nullable FetchSession session, ErrorCode error, List<FetchSession> ended) {
        private static Admission refused(ErrorCode error) {
            return new Admission(null, error, List.of());
        }
    }

    public FetchSessions(FetchSettings settings, Randomness randomness) {
        this.settings = settings;
        this.randomness = randomness;
    }

    /** Finds or opens the session and takes over what the request changes in it. */
    synchronized Admission admit(ReplicaFetch.Request request) {
        return request.sessionId() == 0 ? open(request) : resume(request);
    }

    private Admission open(ReplicaFetch.Request request) {
        if (request.sessionEpoch() != 0) {
            return Admission.refused(ErrorCode.INVALID_FETCH_SESSION_EPOCH);
        }
        Follower follower = request.follower();
        List<FetchSession> ofBroker = sessions.values().stream()
                .filter(each -> each.follower().brokerId() == follower.brokerId())
                .toList();
        if (ofBroker.stream().anyMatch(each -> each.follower().brokerEpoch() > follower.brokerEpoch())) {
            return Admission.refused(ErrorCode.STALE_BROKER_EPOCH);
        }
        List<FetchSession> ended = new ArrayList<>();
        for (FetchSession each : ofBroker) {
            if (each.follower().brokerEpoch() < follower.brokerEpoch() || holdsAny(each, request.changed())) {
                ended.add(each);
            }
        }
        List<FetchSession> staying =
                ofBroker.stream().filter(each -> !ended.contains(each)).toList();
        if (staying.size() >= settings.maxSessionsPerFollower()) {
            ended.add(staying.get(0));
        } else if (sessions.size() - ended.size() >= settings.maxSessions()) {
            sessions.values().stream()
                    .filter(each -> !ended.contains(each))
                    .findFirst()
                    .ifPresent(ended::add);
        }
        ended.forEach(this::end);
        FetchSession session = new FetchSession(newId(), follower);
        sessions.put(session.id(), session);
        update(session, request);
        return new Admission(session, ErrorCode.NONE, ended);
    }

    private Admission resume(ReplicaFetch.Request request) {
        FetchSession session = sessions.get(request.sessionId());
        if (session == null || !session.follower().equals(request.follower())) {
            return Admission.refused(ErrorCode.FETCH_SESSION_ID_NOT_FOUND);
        }
        if (!session.begin(request.sessionEpoch())) {
            return Admission.refused(ErrorCode.INVALID_FETCH_SESSION_EPOCH);
        }
        sessions.remove(session.id());
        sessions.put(session.id(), session);
        update(session, request);
        return new Admission(session, ErrorCode.NONE, List.of());
    }

    private static boolean holdsAny(FetchSession session, List<FetchEntry> entries) {
        return entries.stream().anyMatch(entry -> session.holds(entry.partition()));
    }

    private long newId() {
        long id;
        do {
            id = randomness.nextLong() & Long.MAX_VALUE;
        } while (id == 0 || sessions.containsKey(id));
        return id;
    }

    private void update(FetchSession session, ReplicaFetch.Request request) {
        request.forgotten().forEach(partition -> release(partition, session));
        session.update(request.changed(), request.forgotten());
        for (FetchEntry entry : request.changed()) {
            List<FetchSession> held = holders.getOrDefault(entry.partition(), List.of());
            if (!held.contains(session)) {
                List<FetchSession> more = new ArrayList<>(held);
                more.add(session);
                holders.put(entry.partition(), List.copyOf(more));
            }
        }
    }

    private void release(TopicPartition partition, FetchSession session) {
        List<FetchSession> left = holders.getOrDefault(partition, List.of()).stream()
                .filter(each -> each != session)
                .toList();
        if (left.isEmpty()) {
            holders.remove(partition);
        } else {
            holders.put(partition, left);
        }
    }

    /** Ends a session whose follower is gone. Nothing happens if it has ended. */
    synchronized void end(FetchSession session) {
        session.close();
        if (sessions.remove(session.id(), session)) {
            session.partitions().forEach(partition -> release(partition, session));
        }
    }

    /** Sessions that hold the partition, in the order in which they took it up. Takes no lock. */
    List<FetchSession> holding(TopicPartition partition) {
        return holders.getOrDefault(partition, List.of());
    }

    /** For metrics. */
    public synchronized int size() {
        return sessions.size();
    }

    /** Partitions that at least one session holds; for metrics. */
    public int heldPartitions() {
        return holders.size();
    }
}
