package io.tidemark.checker;

import io.tidemark.history.Action;
import io.tidemark.history.Action.Assignment;
import io.tidemark.history.Action.Function;
import io.tidemark.history.Action.Start;
import io.tidemark.history.Action.Transfer;
import io.tidemark.history.Action.Via;
import io.tidemark.history.EventSink;
import io.tidemark.history.History;
import io.tidemark.history.HistoryBuilder;
import io.tidemark.history.HistoryEvent;
import io.tidemark.history.Phase;
import io.tidemark.history.ReadRecords;
import io.tidemark.history.SendMode;
import io.tidemark.history.Step;
import io.tidemark.history.Step.Asked;
import io.tidemark.history.Step.Poll;
import io.tidemark.history.Step.Send;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/** Tells a history step by step. Each step is a whole operation of two events, so that the n-th one's end has index 2n + 1. */
final class Story {
    private final HistoryBuilder builder = new HistoryBuilder();
    private final EventSink sink = EventSink.into(builder);
    private SendMode mode = SendMode.STRICT;
    private long index;

    /** What producers are promised from now on. */
    Story under(SendMode other) {
        mode = other;
        return this;
    }

    Story sent(int process, int key, long value, long offset) {
        return sends(process, Phase.OK, Send.of(key, value).at(offset));
    }

    /** Acknowledged, but nobody said where. */
    Story sentSomewhere(int process, int key, long value) {
        return sends(process, Phase.OK, Send.of(key, value));
    }

    Story sendFailed(int process, int key, long value) {
        return sends(process, Phase.FAIL, Send.of(key, value));
    }

    Story sendUnknown(int process, int key, long value) {
        return sends(process, Phase.INFO, Send.of(key, value));
    }

    Story sends(int process, Phase outcome, Send... sends) {
        List<Send> asked = new ArrayList<>();
        for (Send send : sends) {
            asked.add(new Send(send.key(), send.value(), Send.UNKNOWN_OFFSET, send.recordKey()));
        }
        Transfer begun = Transfer.of(Function.SEND, asked).under(mode);
        return whole(process, outcome, begun, Transfer.of(Function.SEND, List.of(sends)).under(mode));
    }

    /** Polled with success: an offset, a value, an offset, a value and so on. */
    Story polled(int process, int key, long... offsetsAndValues) {
        return polls(process, Phase.OK, records(key, offsetsAndValues));
    }

    Story polls(int process, Phase outcome, ReadRecords... records) {
        return whole(
                process,
                outcome,
                Transfer.of(Function.POLL, List.of(new Asked())),
                Transfer.of(Function.POLL, List.of(new Poll(List.of(records)))));
    }

    /** A poll during which the assignment of the key moved. */
    Story polledInRebalance(int process, int key, long... offsetsAndValues) {
        Poll poll = new Poll(List.of(records(key, offsetsAndValues)));
        return whole(
                process,
                Phase.OK,
                Transfer.of(Function.POLL, List.of(new Asked())),
                Transfer.of(Function.POLL, List.of(poll)).rebalancing(List.of(key)));
    }

    /** A poll that failed because the log had been cut from {@code offset} on. */
    Story toldOfTruncation(int process, int key, long offset) {
        TreeMap<Integer, Long> cuts = new TreeMap<>();
        cuts.put(key, offset);
        Transfer asked = Transfer.of(Function.POLL, List.of(new Asked()));
        return whole(process, Phase.FAIL, asked, asked.toldOf(cuts));
    }

    Story assigned(int process, Start start, Integer... keys) {
        Assignment assignment = new Assignment(Via.ASSIGN, List.of(keys), start);
        return whole(process, Phase.OK, assignment, assignment);
    }

    /** A transaction of mixed steps. */
    Story mixed(int process, Step... steps) {
        Transfer done = Transfer.of(Function.TXN, List.of(steps));
        return whole(process, Phase.OK, done, done);
    }

    Story event(Phase phase, int process, Action action) {
        sink.accept(new HistoryEvent(index, index, phase, process, action, ""));
        index++;
        return this;
    }

    History history() {
        return builder.build();
    }

    Verdict verdict() {
        return verdict(CheckOptions.STRICT);
    }

    Verdict verdict(CheckOptions options) {
        return Checker.check(history(), options);
    }

    /** The cases of a kind, in words; those that are only reported say so. */
    List<String> cases(AnomalyKind kind) {
        return verdict().found().stream()
                .filter(found -> found.kind() == kind)
                .flatMap(found -> found.cases().stream())
                .map(one -> one.facts().text() + (one.standing() == Standing.BAD ? "" : " (reported)"))
                .toList();
    }

    static ReadRecords records(int key, long... offsetsAndValues) {
        long[] offsets = new long[offsetsAndValues.length / 2];
        long[] values = new long[offsets.length];
        for (int i = 0; i < offsets.length; i++) {
            offsets[i] = offsetsAndValues[2 * i];
            values[i] = offsetsAndValues[2 * i + 1];
        }
        return ReadRecords.of(key, offsets, values);
    }

    private Story whole(int process, Phase outcome, Action begun, Action ended) {
        return event(Phase.INVOKE, process, begun).event(outcome, process, ended);
    }
}
