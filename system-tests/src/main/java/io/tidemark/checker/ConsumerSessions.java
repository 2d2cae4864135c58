package io.tidemark.checker;

import io.tidemark.history.Action.Assignment;
import io.tidemark.history.Action.Start;
import io.tidemark.history.Action.Transfer;
import io.tidemark.history.Operation;
import io.tidemark.history.Phase;
import io.tidemark.history.ReadRecords;
import io.tidemark.history.Step;
import io.tidemark.history.Step.Poll;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Tells the sessions of consumers apart. */
final class ConsumerSessions {
    private final Evidence evidence;
    private final List<ConsumerSession> all = new ArrayList<>();
    /** For each process the sessions that go on. */
    private final Map<Integer, SortedMap<Integer, ConsumerSession>> current = new HashMap<>();

    private ConsumerSessions(Evidence evidence) {
        this.evidence = evidence;
    }

    static List<ConsumerSession> of(Evidence evidence) {
        ConsumerSessions sessions = new ConsumerSessions(evidence);
        int number = 0;
        for (Operation operation : evidence.operations()) {
            if (operation.action() instanceof Assignment assignment && operation.outcome() != Phase.FAIL) {
                sessions.assign(operation, assignment);
            } else if (operation.action() instanceof Transfer transfer) {
                sessions.transfer(number, operation, transfer);
            }
            number++;
        }
        return List.copyOf(sessions.all);
    }

    private void assign(Operation operation, Assignment assignment) {
        SortedMap<Integer, ConsumerSession> before = ofProcess(operation.process());
        SortedMap<Integer, ConsumerSession> after = new TreeMap<>();
        for (Integer key : new TreeSet<>(assignment.keys())) {
            ConsumerSession kept = before.get(key);
            if (assignment.start() == Start.KEPT && kept != null) {
                after.put(key, kept);
            } else if (evidence.hasLog(key)) {
                after.put(key, begin(operation.process(), key, assignment.start(), operation));
            }
        }
        current.put(operation.process(), after);
    }

    private void transfer(int number, Operation operation, Transfer transfer) {
        if (transfer.steps().stream().allMatch(step -> step instanceof Step.Send)
                && transfer.truncated().isEmpty()) {
            return;
        }
        Map<Integer, ConsumerSession> sessions = ofProcess(operation.process());
        // Where the assignment moved nobody knows what stands before what.
        transfer.rebalanced().forEach(sessions::remove);
        if (operation.isOk()) {
            for (Step step : transfer.steps()) {
                if (step instanceof Poll poll) {
                    poll(number, transfer, poll);
                }
            }
        }
        if (operation.outcome() == Phase.INFO) {
            sessions.values().forEach(ConsumerSession::interrupt);
        }
        transfer.truncated().keySet().forEach(sessions::remove);
    }

    private void poll(int number, Transfer transfer, Poll poll) {
        int process = evidence.operations().get(number).process();
        for (ReadRecords records : poll.records()) {
            if (transfer.rebalanced().contains(records.key())) {
                continue;
            }
            ConsumerSession session = ofProcess(process).get(records.key());
            if (session == null) {
                session = begin(process, records.key(), Start.KEPT, null);
                ofProcess(process).put(records.key(), session);
            }
            for (int i = 0; i < records.size(); i++) {
                session.given(number, records.offset(i), records.value(i));
            }
        }
    }

    private ConsumerSession begin(int process, int key, Start start, @Nullable Operation assignment) {
        ConsumerSession session = new ConsumerSession(evidence.log(key), process, start, assignment);
        all.add(session);
        return session;
    }

    private SortedMap<Integer, ConsumerSession> ofProcess(int process) {
        return current.computeIfAbsent(process, unused -> new TreeMap<>());
    }
}
