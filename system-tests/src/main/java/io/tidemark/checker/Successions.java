package io.tidemark.checker;

import io.tidemark.checker.LastByKey.Last;
import io.tidemark.history.Action.Transfer;
import io.tidemark.history.Operation;
import io.tidemark.history.Phase;
import io.tidemark.history.ReadRecords;
import io.tidemark.history.Step;
import io.tidemark.history.Step.Poll;
import io.tidemark.history.Step.Send;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Which values stand one behind the other: inside operations, and between those of one process (REQUIREMENTS section 3).
 * Pairs of which one has no place in the log are left out: nothing is known about their order.
 */
final class Successions {
    private final Evidence evidence;
    private final Consumer<Pair> pairs;

    private Successions(Evidence evidence, Consumer<Pair> pairs) {
        this.evidence = evidence;
        this.pairs = pairs;
    }

    /** The first and the last value of a key in one operation. */
    private record Ends(int first, int last) {
        Ends andThen(int id) {
            return new Ends(first, id);
        }
    }

    /** Polled by one operation of any outcome, across its polls; but for keys whose assignment moved meanwhile. */
    static void insidePolls(Evidence evidence, Consumer<Pair> pairs) {
        Successions successions = new Successions(evidence, pairs);
        for (Operation operation : evidence.operations()) {
            if (operation.action() instanceof Transfer transfer) {
                successions.insidePolls(operation, transfer);
            }
        }
    }

    /** Sent by one operation of any outcome. */
    static void insideSends(Evidence evidence, Consumer<Pair> pairs) {
        Successions successions = new Successions(evidence, pairs);
        for (Operation operation : evidence.operations()) {
            if (operation.action() instanceof Transfer transfer
                    && transfer.steps().size() > 1) {
                successions.insideSends(operation, transfer);
            }
        }
    }

    /**
     * The last value of a key in a process's poll before, and the first in this one. Only polls that ended ok move the
     * process on; those of any outcome are measured.
     */
    static void betweenPolls(Evidence evidence, Consumer<Pair> pairs) {
        Successions successions = new Successions(evidence, pairs);
        LastByKey last = new LastByKey();
        for (Operation operation : evidence.operations()) {
            last.passed(operation);
            if (operation.action() instanceof Transfer transfer) {
                SortedMap<Integer, Ends> ends = successions.polled(transfer);
                ends.forEach((key, end) -> successions.measure(operation, key, end, last));
                if (operation.isOk()) {
                    ends.forEach((key, end) -> last.moved(operation.process(), key, new Last(operation, end.last())));
                }
            }
        }
    }

    /** The last value of a key that a process sent before, and the first that it sent now, failed sends left out. */
    static void betweenSends(Evidence evidence, Consumer<Pair> pairs) {
        Successions successions = new Successions(evidence, pairs);
        LastByKey last = new LastByKey();
        for (Operation operation : evidence.operations()) {
            last.passed(operation);
            if (operation.outcome() != Phase.FAIL && operation.action() instanceof Transfer transfer) {
                SortedMap<Integer, Ends> ends = successions.sent(transfer);
                ends.forEach((key, end) -> successions.measure(operation, key, end, last));
                ends.forEach((key, end) -> last.moved(operation.process(), key, new Last(operation, end.last())));
            }
        }
    }

    private void insidePolls(Operation operation, Transfer transfer) {
        SortedMap<Integer, Integer> last = new TreeMap<>();
        for (Step step : transfer.steps()) {
            if (step instanceof Poll poll) {
                for (ReadRecords records : poll.records()) {
                    if (!transfer.rebalanced().contains(records.key())) {
                        insideRecords(operation, records, last);
                    }
                }
            }
        }
    }

    private void insideRecords(Operation operation, ReadRecords records, SortedMap<Integer, Integer> last) {
        if (records.size() == 0) {
            return;
        }
        KeyLog log = evidence.log(records.key());
        Integer before = last.get(records.key());
        int previous = before == null ? KeyLog.NONE : before;
        for (int i = 0; i < records.size(); i++) {
            int id = log.id(records.value(i));
            if (previous != KeyLog.NONE) {
                emit(log, operation, previous, operation, id);
            }
            previous = id;
        }
        last.put(records.key(), previous);
    }

    private void insideSends(Operation operation, Transfer transfer) {
        SortedMap<Integer, Integer> last = new TreeMap<>();
        for (Step step : transfer.steps()) {
            if (step instanceof Send send) {
                KeyLog log = evidence.log(send.key());
                int id = log.id(send.value());
                Integer before = last.put(send.key(), id);
                if (before != null) {
                    emit(log, operation, before, operation, id);
                }
            }
        }
    }

    private void measure(Operation operation, int key, Ends ends, LastByKey last) {
        Last before = last.last(operation.process(), key);
        if (before != null) {
            emit(evidence.log(key), before.operation(), before.id(), operation, ends.first());
        }
    }

    private SortedMap<Integer, Ends> polled(Transfer transfer) {
        SortedMap<Integer, Ends> ends = new TreeMap<>();
        for (Step step : transfer.steps()) {
            if (step instanceof Poll poll) {
                for (ReadRecords records : poll.records()) {
                    extend(ends, records);
                }
            }
        }
        return ends;
    }

    private void extend(SortedMap<Integer, Ends> ends, ReadRecords records) {
        if (records.size() > 0) {
            KeyLog log = evidence.log(records.key());
            extend(ends, records.key(), log.id(records.value(0)));
            extend(ends, records.key(), log.id(records.value(records.size() - 1)));
        }
    }

    private SortedMap<Integer, Ends> sent(Transfer transfer) {
        SortedMap<Integer, Ends> ends = new TreeMap<>();
        for (Step step : transfer.steps()) {
            if (step instanceof Send send) {
                extend(ends, send.key(), evidence.log(send.key()).id(send.value()));
            }
        }
        return ends;
    }

    private static void extend(SortedMap<Integer, Ends> ends, int key, int id) {
        Ends known = ends.get(key);
        ends.put(key, known == null ? new Ends(id, id) : known.andThen(id));
    }

    private void emit(KeyLog log, Operation before, int beforeId, Operation after, int afterId) {
        if (log.lastRank(beforeId) != KeyLog.NONE && log.lastRank(afterId) != KeyLog.NONE) {
            pairs.accept(new Pair(log, before, beforeId, after, afterId));
        }
    }
}
