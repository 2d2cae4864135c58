package io.tidemark.history;

import com.google.gson.stream.JsonWriter;
import io.tidemark.history.Action.Assignment;
import io.tidemark.history.Action.Note;
import io.tidemark.history.Action.Transfer;
import io.tidemark.history.SendMode.Idempotence;
import io.tidemark.history.Step.Poll;
import io.tidemark.history.Step.Send;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Events as JSON, one object a line, behind a header line <code>{"history":"tidemark","version":1}</code>.
 *
 * <table>
 * <caption>Fields</caption>
 * <tr><td>index, timeNs</td><td>numbers</td></tr>
 * <tr><td>phase</td><td>invoke, ok, fail, info</td></tr>
 * <tr><td>process</td><td>a number, or "nemesis"</td></tr>
 * <tr><td>f</td><td>send, poll, txn, assign, subscribe, crash, or the name of a fault</td></tr>
 * <tr><td>steps</td><td>of send, poll and txn: a list of <code>{"send":{"key":0,"value":4,"offset":7,"recordKey":3}}</code>
 * and <code>{"poll":[{"key":0,"records":[[7,4],[8,5]]}]}</code>, the latter null as long as there is no answer</td></tr>
 * <tr><td>acks, idempotent, rebalanced, truncated</td><td>of send, poll and txn, where they are not "all", true and
 * empty</td></tr>
 * <tr><td>keys, start</td><td>of assign and subscribe; kept, beginning, final_read</td></tr>
 * <tr><td>value</td><td>of anything else: EDN as a string</td></tr>
 * <tr><td>error</td><td>why it is fail or info</td></tr>
 * </table>
 *
 * <p>Fields that are not known are passed over: a later version may add some.
 */
final class JsonLinesFormat implements HistoryFormat {
    static final int VERSION = 1;

    @Override
    public Optional<String> header() {
        return Optional.of("{\"history\":\"tidemark\",\"version\":" + VERSION + "}");
    }

    @Override
    public String encode(HistoryEvent event) {
        StringWriter line = new StringWriter();
        try (JsonWriter json = new JsonWriter(line)) {
            write(json, event);
        } catch (IOException e) {
            throw new UncheckedIOException("a writer into memory failed", e);
        }
        return line.toString();
    }

    @Override
    public Decoded decode(String line) {
        return line.isBlank() ? Decoded.NOTHING : JsonEventReader.read(line);
    }

    private static void write(JsonWriter json, HistoryEvent event) throws IOException {
        json.beginObject();
        json.name("index").value(event.index());
        json.name("timeNs").value(event.timeNs());
        json.name("phase").value(event.phase().label());
        if (event.process() == HistoryEvent.NEMESIS) {
            json.name("process").value("nemesis");
        } else {
            json.name("process").value(event.process());
        }
        json.name("f").value(event.action().f());
        if (event.action() instanceof Transfer transfer) {
            transfer(json, transfer);
        } else if (event.action() instanceof Assignment assignment) {
            json.name("keys");
            numbers(json, assignment.keys());
            json.name("start").value(assignment.start().name().toLowerCase(Locale.ROOT));
        } else if (event.action() instanceof Note note) {
            json.name("value").value(note.value());
        }
        if (!event.error().isEmpty()) {
            json.name("error").value(event.error());
        }
        json.endObject();
    }

    private static void transfer(JsonWriter json, Transfer transfer) throws IOException {
        json.name("steps").beginArray();
        for (Step step : transfer.steps()) {
            json.beginObject();
            step(json, step);
            json.endObject();
        }
        json.endArray();
        if (transfer.mode().acks() != SendMode.STRICT.acks()) {
            json.name("acks").value(transfer.mode().acks().label());
        }
        if (transfer.mode().idempotence() == Idempotence.OFF) {
            json.name("idempotent").value(false);
        }
        if (!transfer.rebalanced().isEmpty()) {
            json.name("rebalanced");
            numbers(json, transfer.rebalanced());
        }
        if (!transfer.truncated().isEmpty()) {
            json.name("truncated").beginObject();
            for (Map.Entry<Integer, Long> cut : transfer.truncated().entrySet()) {
                json.name(cut.getKey().toString()).value(cut.getValue());
            }
            json.endObject();
        }
    }

    private static void step(JsonWriter json, Step step) throws IOException {
        if (step instanceof Send send) {
            json.name("send").beginObject();
            json.name("key").value(send.key());
            json.name("value").value(send.value());
            if (send.hasOffset()) {
                json.name("offset").value(send.offset());
            }
            if (send.hasRecordKey()) {
                json.name("recordKey").value(send.recordKey());
            }
            json.endObject();
        } else if (step instanceof Poll poll) {
            json.name("poll").beginArray();
            for (ReadRecords records : poll.records()) {
                records(json, records);
            }
            json.endArray();
        } else {
            json.name("poll").nullValue();
        }
    }

    private static void records(JsonWriter json, ReadRecords records) throws IOException {
        json.beginObject();
        json.name("key").value(records.key());
        json.name("records").beginArray();
        for (int i = 0; i < records.size(); i++) {
            json.beginArray().value(records.offset(i)).value(records.value(i)).endArray();
        }
        json.endArray();
        json.endObject();
    }

    private static void numbers(JsonWriter json, List<Integer> numbers) throws IOException {
        json.beginArray();
        for (Integer number : numbers) {
            json.value(number);
        }
        json.endArray();
    }
}
