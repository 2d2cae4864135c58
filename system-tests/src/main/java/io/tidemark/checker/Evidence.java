package io.tidemark.checker;

import io.tidemark.history.Action.Transfer;
import io.tidemark.history.History;
import io.tidemark.history.Operation;
import io.tidemark.history.Phase;
import io.tidemark.history.ReadRecords;
import io.tidemark.history.SendMode;
import io.tidemark.history.SendMode.Acks;
import io.tidemark.history.SendMode.Idempotence;
import io.tidemark.history.Step;
import io.tidemark.history.Step.Poll;
import io.tidemark.history.Step.Send;
import java.util.BitSet;
import java.util.Collection;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * What the checks look at, gathered once: the operations, the log of each key, and what every consumer was given. An
 * operation's number is its place in {@link History#operations}.
 */
final class Evidence {
    private final History history;
    private final SortedMap<Integer, KeyLog> logs = new TreeMap<>();
    private final SortedSet<Integer> compacted = new TreeSet<>();
    private final BitSet proved = new BitSet();
    private final List<ConsumerSession> sessions;

    private Evidence(History history) {
        this.history = history;
        SortedMap<Integer, KeyLogBuilder> builders = new TreeMap<>();
        forEachSend(history, (number, send) -> builderOf(builders, send.key()).sent(number, send));
        forEachPoll(history, (number, records) -> {
            KeyLogBuilder builder = builderOf(builders, records.key());
            if (history.operations().get(number).isOk()) {
                builder.read(number, records);
            } else {
                builder.polled(records);
            }
        });
        forEachSend(history, (number, send) -> {
            Operation operation = history.operations().get(number);
            if (operation.isOk()
                    || (operation.outcome() == Phase.INFO
                            && builderOf(builders, send.key()).isRead(send.value()))) {
                proved.set(number);
            }
        });
        forEachSend(history, (number, send) -> {
            if (proved.get(number)) {
                builderOf(builders, send.key()).proved(send);
            }
        });
        builders.forEach((key, builder) -> {
            logs.put(key, builder.build());
            if (builder.isCompacted()) {
                compacted.add(key);
            }
        });
        logs.values().forEach(log -> log.judge(firmRanks(log), new RankCounts(Owed.ranks(this, log))));
        this.sessions = ConsumerSessions.of(this);
    }

    static Evidence of(History history) {
        return new Evidence(history);
    }

    History history() {
        return history;
    }

    List<Operation> operations() {
        return history.operations();
    }

    /** The logs by key. */
    Collection<KeyLog> logs() {
        return logs.values();
    }

    /** Whether anything was sent to or polled from a key. */
    boolean hasLog(int key) {
        return logs.containsKey(key);
    }

    /** The log of a key in which something was sent or polled. */
    KeyLog log(int key) {
        KeyLog log = logs.get(key);
        if (log == null) {
            throw new IllegalArgumentException("nothing was sent to or polled from key " + key);
        }
        return log;
    }

    /** Whether compaction may take records of the key away. */
    boolean isCompacted(KeyLog log) {
        return compacted.contains(log.key());
    }

    /** What each consumer was given of each key, in the order in which it began. */
    List<ConsumerSession> sessions() {
        return sessions;
    }

    /** Whether the operation ended ok, or is unknown and some value that it sent was read. */
    boolean isProved(int operation) {
        return proved.get(operation);
    }

    /** Who sent a value, if anybody did. */
    @Nullable Operation writer(KeyLog log, int id) {
        int writer = log.writer(id);
        return writer == KeyLog.NONE ? null : operations().get(writer);
    }

    /** What the sender of a value was promised; the strictest promise if nobody sent it. */
    SendMode mode(KeyLog log, int id) {
        Operation writer = writer(log, id);
        return writer != null && writer.action() instanceof Transfer transfer ? transfer.mode() : SendMode.STRICT;
    }

    /** Whether the value's acknowledgement says nothing about other replicas. */
    boolean isWeaklyAcked(KeyLog log, int id) {
        return mode(log, id).acks() != Acks.ALL;
    }

    /** Whether the value may be in the log twice, because nobody recognised a retry. */
    boolean isRepeatable(KeyLog log, int id) {
        return mode(log, id).idempotence() == Idempotence.OFF;
    }

    /** Whether the value's place was promised, or seen: it may not go, and no other may take it. */
    boolean isFirm(KeyLog log, int id) {
        return log.reader(id) != KeyLog.NONE || !isWeaklyAcked(log, id);
    }

    /** Whether the value was committed: acknowledged for all replicas, or read. */
    boolean isCommitted(KeyLog log, int id) {
        Operation writer = writer(log, id);
        return log.reader(id) != KeyLog.NONE || (writer != null && writer.isOk() && !isWeaklyAcked(log, id));
    }

    /** Calls with each operation's number and each of its sends. */
    static void forEachSend(History history, BiConsumer<Integer, Send> visitor) {
        forEachStep(history, (number, step) -> {
            if (step instanceof Send send) {
                visitor.accept(number, send);
            }
        });
    }

    /** Calls with each operation's number and what each of its polls returned of each key. */
    static void forEachPoll(History history, BiConsumer<Integer, ReadRecords> visitor) {
        forEachStep(history, (number, step) -> {
            if (step instanceof Poll poll) {
                poll.records().forEach(records -> visitor.accept(number, records));
            }
        });
    }

    private static void forEachStep(History history, BiConsumer<Integer, Step> visitor) {
        int number = 0;
        for (Operation operation : history.operations()) {
            if (operation.action() instanceof Transfer transfer) {
                for (Step step : transfer.steps()) {
                    visitor.accept(number, step);
                }
            }
            number++;
        }
    }

    private RankCounts firmRanks(KeyLog log) {
        boolean[] firm = new boolean[log.rankCount()];
        for (int rank = 0; rank < firm.length; rank++) {
            for (int i = 0; i < log.idCount(rank); i++) {
                firm[rank] |= isFirm(log, log.id(rank, i));
            }
        }
        return new RankCounts(firm);
    }

    private static KeyLogBuilder builderOf(SortedMap<Integer, KeyLogBuilder> builders, int key) {
        return builders.computeIfAbsent(key, KeyLogBuilder::new);
    }
}
