package io.tidemark.history;

import io.tidemark.history.Action.Assignment;
import io.tidemark.history.Action.Crash;
import io.tidemark.history.Action.Function;
import io.tidemark.history.Action.Note;
import io.tidemark.history.Action.Start;
import io.tidemark.history.Action.Transfer;
import io.tidemark.history.Action.Via;
import io.tidemark.history.SendMode.Acks;
import io.tidemark.history.SendMode.Idempotence;
import io.tidemark.history.Step.Asked;
import io.tidemark.history.Step.Poll;
import io.tidemark.history.Step.Send;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Makes an event of the EDN map of one line. What does not fit is refused with the column of the field. */
final class EdnEventReader {
    private final String line;
    private final Map<Edn, Edn> fields;

    private EdnEventReader(String line, Map<Edn, Edn> fields) {
        this.line = line;
        this.fields = fields;
    }

    static HistoryEvent read(String line, Edn value) throws EdnException {
        Edn untagged = value instanceof Edn.Tagged tagged ? tagged.value() : value;
        if (!(untagged instanceof Edn.Table table)) {
            throw new EdnException(1, "an operation is a map");
        }
        return new EdnEventReader(line, table.entries()).event();
    }

    private HistoryEvent event() throws EdnException {
        String type = name("type");
        Phase phase = Phase.labelled(type).orElseThrow(() -> flaw("type", "is none of invoke, ok, fail, info"));
        int process = process();
        return new HistoryEvent(number("index"), number("time"), phase, process, action(process, name("f")), error());
    }

    private int process() throws EdnException {
        Edn process = required("process");
        if (process instanceof Edn.Name) {
            return HistoryEvent.NEMESIS;
        }
        int number = small("process", process);
        if (number < 0) {
            throw flaw("process", "is negative");
        }
        return number;
    }

    private Action action(int process, String f) throws EdnException {
        if (process == HistoryEvent.NEMESIS) {
            return note(f);
        }
        return switch (f) {
            case "send" -> transfer(Function.SEND);
            case "poll" -> transfer(Function.POLL);
            case "txn" -> transfer(Function.TXN);
            case "assign" -> assignment(Via.ASSIGN);
            case "subscribe" -> assignment(Via.SUBSCRIBE);
            case Crash.F -> new Crash();
            default -> note(f);
        };
    }

    private Note note(String f) {
        Edn value = field("value");
        return new Note(f, value == null ? "nil" : value.print());
    }

    private Transfer transfer(Function function) throws EdnException {
        List<Edn> recordKeys = field("record-keys") == null ? List.of() : items("record-keys", required("record-keys"));
        List<Step> steps = new ArrayList<>();
        int sends = 0;
        for (Edn item : items("value", required("value"))) {
            Step step = step(items("value", item));
            if (step instanceof Send send) {
                if (sends < recordKeys.size()) {
                    step = keyed(send, recordKeys.get(sends));
                }
                sends++;
            }
            steps.add(step);
        }
        if (!recordKeys.isEmpty() && recordKeys.size() != sends) {
            throw flaw("record-keys", "has " + recordKeys.size() + " entries for " + sends + " sends");
        }
        return Transfer.of(function, steps).under(mode()).rebalancing(rebalanced()).toldOf(truncated());
    }

    private Step step(List<Edn> parts) throws EdnException {
        if (parts.size() == 3 && parts.get(0).equals(EdnFormat.SEND)) {
            return send(small("value", parts.get(1)), parts.get(2));
        }
        if (parts.size() == 1 && parts.get(0).equals(EdnFormat.POLL)) {
            return new Asked();
        }
        if (parts.size() == 2 && parts.get(0).equals(EdnFormat.POLL) && parts.get(1) instanceof Edn.Table byKey) {
            List<ReadRecords> records = new ArrayList<>();
            for (Map.Entry<Edn, Edn> entry : byKey.entries().entrySet()) {
                records.add(records(small("value", entry.getKey()), items("value", entry.getValue())));
            }
            return new Poll(records);
        }
        throw flaw("value", "has a step that is neither [:send key value], [:send key [offset value]], [:poll] nor"
                + " [:poll {key [[offset value] ...]}]");
    }

    private Send send(int key, Edn placed) throws EdnException {
        if (placed instanceof Edn.Int value) {
            return Send.of(key, value.value());
        }
        List<Edn> pair = items("value", placed);
        if (pair.size() != 2) {
            throw flaw("value", "sends neither a value nor [offset value]");
        }
        Send send = Send.of(key, number("value", pair.get(1)));
        return pair.get(0) instanceof Edn.Nil ? send : send.at(offset(pair.get(0)));
    }

    private Send keyed(Send send, Edn recordKey) throws EdnException {
        return recordKey instanceof Edn.Nil
                ? send
                : new Send(send.key(), send.value(), send.offset(), number("record-keys", recordKey));
    }

    private ReadRecords records(int key, List<Edn> pairs) throws EdnException {
        long[] offsets = new long[pairs.size()];
        long[] values = new long[pairs.size()];
        for (int i = 0; i < offsets.length; i++) {
            List<Edn> pair = items("value", pairs.get(i));
            if (pair.size() != 2) {
                throw flaw("value", "polls something that is not [offset value]");
            }
            offsets[i] = offset(pair.get(0));
            values[i] = number("value", pair.get(1));
        }
        return ReadRecords.of(key, offsets, values);
    }

    private SendMode mode() throws EdnException {
        Acks acks = SendMode.STRICT.acks();
        if (field("acks") != null) {
            acks = Acks.labelled(name("acks")).orElseThrow(() -> flaw("acks", "is none of :none, :leader, :all"));
        }
        return new SendMode(acks, isSet("idempotent", true) ? Idempotence.ON : Idempotence.OFF);
    }

    private List<Integer> rebalanced() throws EdnException {
        Edn log = field("rebalance-log");
        List<Integer> keys = new ArrayList<>();
        if (log == null || log instanceof Edn.Nil) {
            return keys;
        }
        for (Edn entry : items("rebalance-log", log)) {
            if (!(entry instanceof Edn.Table table)) {
                throw flaw("rebalance-log", "has an entry that is no map");
            }
            Edn moved = table.entries().get(new Edn.Name("keys"));
            if (moved != null) {
                keys.addAll(keys("rebalance-log", moved));
            }
        }
        return keys;
    }

    private SortedMap<Integer, Long> truncated() throws EdnException {
        SortedMap<Integer, Long> cuts = new TreeMap<>();
        Edn truncated = field("truncated");
        if (truncated == null) {
            return cuts;
        }
        if (!(truncated instanceof Edn.Table table)) {
            throw flaw("truncated", "is no map");
        }
        for (Map.Entry<Edn, Edn> cut : table.entries().entrySet()) {
            cuts.put(small("truncated", cut.getKey()), number("truncated", cut.getValue()));
        }
        return cuts;
    }

    private Assignment assignment(Via via) throws EdnException {
        Start start = isSet("seek-to-beginning?", false) ? Start.BEGINNING : Start.KEPT;
        return new Assignment(
                via, keys("value", required("value")), isSet("final-read?", false) ? Start.FINAL_READ : start);
    }

    private String error() {
        Edn error = field("error");
        if (error == null || error instanceof Edn.Nil) {
            return "";
        }
        return error instanceof Edn.Text text ? text.value() : error.print();
    }

    private List<Integer> keys(String field, Edn value) throws EdnException {
        List<Integer> keys = new ArrayList<>();
        for (Edn key : items(field, value)) {
            keys.add(small(field, key));
        }
        return keys;
    }

    private List<Edn> items(String field, Edn value) throws EdnException {
        if (value instanceof Edn.Sequence sequence) {
            return sequence.items();
        }
        throw flaw(field, "has " + value.print() + " where values in a row are due");
    }

    private long offset(Edn value) throws EdnException {
        long offset = number("value", value);
        if (offset < 0) {
            throw flaw("value", "has a negative offset");
        }
        return offset;
    }

    private int small(String field, Edn value) throws EdnException {
        long number = number(field, value);
        if (number != (int) number) {
            throw flaw(field, "has a number beyond 32 bits: " + number);
        }
        return (int) number;
    }

    private long number(String field) throws EdnException {
        return number(field, required(field));
    }

    private long number(String field, Edn value) throws EdnException {
        if (value instanceof Edn.Int number) {
            return number.value();
        }
        throw flaw(field, "has " + value.print() + " where a number is due");
    }

    private String name(String field) throws EdnException {
        if (required(field) instanceof Edn.Name name) {
            return name.value();
        }
        throw flaw(field, "is no keyword");
    }

    private boolean isSet(String field, boolean assumed) throws EdnException {
        Edn value = field(field);
        if (value == null || value instanceof Edn.Nil) {
            return assumed;
        }
        if (value instanceof Edn.Bool flag) {
            return flag.value();
        }
        throw flaw(field, "is neither true nor false");
    }

    private Edn required(String field) throws EdnException {
        Edn value = field(field);
        if (value == null) {
            throw new EdnException(1, ":" + field + " is missing");
        }
        return value;
    }

    private @Nullable Edn field(String field) {
        return fields.get(new Edn.Name(field));
    }

    private EdnException flaw(String field, String message) {
        return new EdnException(Math.max(0, line.indexOf(":" + field)) + 1, ":" + field + " " + message);
    }
}
