package io.tidemark.history;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Folds events into operations: each end with its beginning. Holds the history to its rules, because a verdict over one
 * that breaks them means nothing. Not thread-safe.
 */
public final class HistoryBuilder {
    private final List<Operation> completed = new ArrayList<>();
    private final List<HistoryEvent> notes = new ArrayList<>();
    private final SortedMap<Integer, HistoryEvent> pending = new TreeMap<>();
    private final Set<Integer> gone = new TreeSet<>();
    private long lastIndex = -1;
    private long lastTimeNs = Long.MIN_VALUE;
    private long eventCount;

    /** Takes the next event, or says why it cannot be one and leaves it out. */
    public Optional<String> add(HistoryEvent event) {
        if (event.index() <= lastIndex) {
            return Optional.of("index " + event.index() + " does not rise above " + lastIndex);
        }
        if (event.timeNs() < lastTimeNs) {
            return Optional.of("time goes back from " + lastTimeNs + " to " + event.timeNs());
        }
        Optional<String> objection = Optional.empty();
        if (event.process() == HistoryEvent.NEMESIS) {
            notes.add(event);
        } else if (event.phase() == Phase.INVOKE) {
            objection = begin(event);
        } else {
            objection = end(event);
        }
        if (objection.isEmpty()) {
            lastIndex = event.index();
            lastTimeNs = event.timeNs();
            eventCount++;
        }
        return objection;
    }

    /** What was added up to now. */
    public History build() {
        List<Operation> operations = new ArrayList<>(completed);
        pending.values().stream()
                .sorted((left, right) -> Long.compare(left.index(), right.index()))
                .map(begun -> new Operation(
                        begun.process(), Phase.INFO, begun.index(), Operation.NEVER, begun.action()))
                .forEach(operations::add);
        return new History(operations, notes, eventCount);
    }

    private Optional<String> begin(HistoryEvent event) {
        if (gone.contains(event.process())) {
            return Optional.of("process " + event.process() + " is back, though its last operation ended unknown");
        }
        HistoryEvent begun = pending.putIfAbsent(event.process(), event);
        return begun == null
                ? Optional.empty()
                : Optional.of("process " + event.process() + " begins " + event.action().f()
                        + " while its operation of index " + begun.index() + " has not ended");
    }

    private Optional<String> end(HistoryEvent event) {
        HistoryEvent begun = pending.get(event.process());
        if (begun == null || !begun.action().f().equals(event.action().f())) {
            return Optional.of("process " + event.process() + " ends " + event.action().f() + " but began "
                    + (begun == null ? "nothing" : begun.action().f()));
        }
        pending.remove(event.process());
        if (event.phase() == Phase.INFO) {
            gone.add(event.process());
        }
        completed.add(
                new Operation(event.process(), event.phase(), begun.index(), event.index(), event.action()));
        return Optional.empty();
    }
}
