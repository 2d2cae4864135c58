package io.tidemark.checker;

import io.tidemark.history.Action.Assignment;
import io.tidemark.history.Operation;
import io.tidemark.history.Phase;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What each process did last with each key. An assignment makes it forget the keys that it does not name. Not thread-safe. */
final class LastByKey {
    private final Map<Integer, SortedMap<Integer, Last>> processes = new HashMap<>();

    /** A value and the operation that it was part of. */
    record Last(Operation operation, int id) {}

    @Nullable Last last(int process, int key) {
        SortedMap<Integer, Last> keys = processes.get(process);
        return keys == null ? null : keys.get(key);
    }

    void moved(int process, int key, Last last) {
        processes.computeIfAbsent(process, unused -> new TreeMap<>()).put(key, last);
    }

    /** Looks whether the operation is an assignment that took effect, or may have. */
    void passed(Operation operation) {
        if (operation.outcome() == Phase.FAIL || !(operation.action() instanceof Assignment assignment)) {
            return;
        }
        SortedMap<Integer, Last> keys = processes.get(operation.process());
        if (keys != null) {
            keys.keySet().retainAll(assignment.keys());
        }
    }
}
