package io.tidemark.history;

import io.tidemark.history.Action.Assignment;
import io.tidemark.history.Action.Note;
import io.tidemark.history.Action.Start;
import io.tidemark.history.Action.Transfer;
import io.tidemark.history.SendMode.Idempotence;
import io.tidemark.history.Step.Poll;
import io.tidemark.history.Step.Send;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;

/**
 * Events in EDN, one map a line, as Jepsen's Kafka workload has them:
 *
 * <pre>{:index 12, :time 55800000, :type :ok, :process 3, :f :send, :value [[:send 0 [7 4]]]}</pre>
 *
 * <p>What that form has no word for stands under keys of its own, and only where it differs from what is assumed, so that
 * nothing is lost on the way through it: {@code :acks}, {@code :idempotent}, {@code :record-keys} (one per send),
 * {@code :truncated}, {@code :final-read?}. Keys that are not known are passed over.
 */
final class EdnFormat implements HistoryFormat {
    static final Edn.Name SEND = new Edn.Name("send");
    static final Edn.Name POLL = new Edn.Name("poll");

    @Override
    public Optional<String> header() {
        return Optional.empty();
    }

    @Override
    public String encode(HistoryEvent event) {
        Map<Edn, Edn> fields = new LinkedHashMap<>();
        put(fields, "index", new Edn.Int(event.index()));
        put(fields, "time", new Edn.Int(event.timeNs()));
        put(fields, "type", new Edn.Name(event.phase().label()));
        put(
                fields,
                "process",
                event.process() == HistoryEvent.NEMESIS ? new Edn.Name("nemesis") : new Edn.Int(event.process()));
        put(fields, "f", new Edn.Name(event.action().f()));
        if (event.action() instanceof Transfer transfer) {
            putTransfer(fields, transfer);
        } else if (event.action() instanceof Assignment assignment) {
            putAssignment(fields, assignment);
        } else if (event.action() instanceof Note note) {
            // The value is EDN by the note's own promise: a symbol prints as it stands.
            put(fields, "value", new Edn.Symbol(note.value()));
        } else {
            put(fields, "value", new Edn.Nil());
        }
        if (!event.error().isEmpty()) {
            put(fields, "error", new Edn.Text(event.error()));
        }
        return new Edn.Table(fields).print();
    }

    @Override
    public Decoded decode(String line) {
        try {
            Optional<Edn> value = EdnParser.parse(line);
            return value.isEmpty() ? Decoded.NOTHING : Decoded.of(EdnEventReader.read(line, value.get()));
        } catch (EdnException e) {
            return Decoded.bad(e.column(), String.valueOf(e.getMessage()));
        }
    }

    private static void putTransfer(Map<Edn, Edn> fields, Transfer transfer) {
        put(
                fields,
                "value",
                Edn.vector(transfer.steps().stream().map(EdnFormat::step).toList()));
        if (!transfer.rebalanced().isEmpty()) {
            Edn moved = new Edn.Table(Map.of(new Edn.Name("keys"), Edn.numbers(transfer.rebalanced())));
            put(fields, "rebalance-log", Edn.vector(List.of(moved)));
        }
        if (!transfer.truncated().isEmpty()) {
            put(fields, "truncated", cuts(transfer.truncated()));
        }
        if (transfer.mode().acks() != SendMode.STRICT.acks()) {
            put(fields, "acks", new Edn.Name(transfer.mode().acks().label()));
        }
        if (transfer.mode().idempotence() == Idempotence.OFF) {
            put(fields, "idempotent", new Edn.Bool(false));
        }
        List<Edn> recordKeys = recordKeys(transfer.steps());
        if (!recordKeys.isEmpty()) {
            put(fields, "record-keys", Edn.vector(recordKeys));
        }
    }

    private static void putAssignment(Map<Edn, Edn> fields, Assignment assignment) {
        put(fields, "value", Edn.numbers(assignment.keys()));
        if (assignment.start() != Start.KEPT) {
            put(fields, "seek-to-beginning?", new Edn.Bool(true));
        }
        if (assignment.start() == Start.FINAL_READ) {
            put(fields, "final-read?", new Edn.Bool(true));
        }
    }

    private static Edn step(Step step) {
        if (step instanceof Send send) {
            Edn value = new Edn.Int(send.value());
            Edn placed = send.hasOffset() ? Edn.vector(List.of(new Edn.Int(send.offset()), value)) : value;
            return Edn.vector(List.of(SEND, new Edn.Int(send.key()), placed));
        }
        if (step instanceof Poll poll) {
            Map<Edn, Edn> byKey = new LinkedHashMap<>();
            poll.records().forEach(records -> byKey.put(new Edn.Int(records.key()), pairs(records)));
            return Edn.vector(List.of(POLL, new Edn.Table(byKey)));
        }
        return Edn.vector(List.of(POLL));
    }

    private static Edn pairs(ReadRecords records) {
        List<Edn> pairs = new ArrayList<>(records.size());
        for (int i = 0; i < records.size(); i++) {
            pairs.add(Edn.vector(List.of(new Edn.Int(records.offset(i)), new Edn.Int(records.value(i)))));
        }
        return Edn.vector(pairs);
    }

    private static Edn cuts(SortedMap<Integer, Long> truncated) {
        Map<Edn, Edn> cuts = new LinkedHashMap<>();
        truncated.forEach((key, offset) -> cuts.put(new Edn.Int(key), new Edn.Int(offset)));
        return new Edn.Table(cuts);
    }

    /** One for each send, or none at all if no send has any. */
    private static List<Edn> recordKeys(List<Step> steps) {
        List<Edn> recordKeys = new ArrayList<>();
        boolean hasAny = false;
        for (Step step : steps) {
            if (step instanceof Send send) {
                hasAny |= send.hasRecordKey();
                recordKeys.add(send.hasRecordKey() ? new Edn.Int(send.recordKey()) : new Edn.Nil());
            }
        }
        return hasAny ? recordKeys : List.of();
    }

    private static void put(Map<Edn, Edn> fields, String name, Edn value) {
        fields.put(new Edn.Name(name), value);
    }
}
