package io.tidemark.sim.client;

import io.tidemark.history.Action.Function;
import io.tidemark.history.Action.Transfer;
import io.tidemark.history.SendMode;
import io.tidemark.history.Step.Send;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;

/** Records that one operation of a history sends, one behind the other and without waiting between them. */
final class SendRound {
    private final List<Send> sends;
    private final SendMode mode;
    private final SortedMap<Integer, SendOutcome> outcomes = new TreeMap<>();

    SendRound(List<Send> sends, SendMode mode) {
        this.sends = List.copyOf(sends);
        this.mode = mode;
    }

    List<Send> sends() {
        return sends;
    }

    /** The operation as it begins. */
    Transfer begun() {
        return Transfer.of(Function.SEND, sends).under(mode);
    }

    /** The first answer to a record counts. */
    void answered(int record, SendOutcome outcome) {
        outcomes.putIfAbsent(record, outcome);
    }

    boolean isComplete() {
        return outcomes.size() == sends.size();
    }

    /** What is known of each record, once all are answered. */
    List<SendOutcome> outcomes() {
        return List.copyOf(outcomes.values());
    }

    /** The operation as far as it is known: with the offsets of what was acknowledged. */
    Transfer known() {
        List<Send> steps = new ArrayList<>();
        for (int i = 0; i < sends.size(); i++) {
            Send send = sends.get(i);
            boolean isPlaced = outcomes.containsKey(i) && outcome(i).offset() >= 0;
            steps.add(isPlaced ? send.at(outcome(i).offset()) : send);
        }
        return Transfer.of(Function.SEND, steps).under(mode);
    }

    private SendOutcome outcome(int record) {
        return Objects.requireNonNull(outcomes.get(record));
    }
}
