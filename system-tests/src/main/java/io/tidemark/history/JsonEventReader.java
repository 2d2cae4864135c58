package io.tidemark.history;

import com.google.gson.Strictness;
import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonToken;
import io.tidemark.history.Action.Assignment;
import io.tidemark.history.Action.Crash;
import io.tidemark.history.Action.Function;
import io.tidemark.history.Action.Note;
import io.tidemark.history.Action.Start;
import io.tidemark.history.Action.Transfer;
import io.tidemark.history.Action.Via;
import io.tidemark.history.HistoryFormat.Decoded;
import io.tidemark.history.SendMode.Acks;
import io.tidemark.history.SendMode.Idempotence;
import java.io.IOException;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Makes an event of the JSON object of one line: the fields in any order, then what they add up to. */
final class JsonEventReader {
    private static final Pattern COLUMN = Pattern.compile("column (\\d+)");
    private static final int MISSING = -1;

    private final JsonReader json;
    private long index = MISSING;
    private long timeNs = MISSING;
    private String phase = "";
    private int process = MISSING - 1;
    private String f = "";
    private List<Step> steps = List.of();
    private List<Integer> keys = List.of();
    private String start = "kept";
    private String acks = "all";
    private Idempotence idempotence = Idempotence.ON;
    private List<Integer> rebalanced = List.of();
    private final SortedMap<Integer, Long> truncated = new TreeMap<>();
    private String value = "nil";
    private String error = "";
    private long version = MISSING;

    private JsonEventReader(String line) {
        this.json = new JsonReader(new StringReader(line));
        json.setStrictness(Strictness.STRICT);
    }

    /** A line that is not blank. */
    static Decoded read(String line) {
        JsonEventReader reader = new JsonEventReader(line);
        try {
            reader.fields();
            return reader.event();
        } catch (IOException | IllegalStateException | IllegalArgumentException e) {
            // The reader's own words for what does not fit; a number that is none is an IllegalArgumentException.
            String message = String.valueOf(e.getMessage());
            Matcher column = COLUMN.matcher(message);
            String sentence = message.lines().findFirst().orElse("not JSON");
            return Decoded.bad(column.find() ? Integer.parseInt(message, column.start(1), column.end(1), 10) : 1, sentence);
        }
    }

    private void fields() throws IOException {
        json.beginObject();
        while (json.hasNext()) {
            field(json.nextName());
        }
        json.endObject();
        if (json.peek() != JsonToken.END_DOCUMENT) {
            throw new IllegalArgumentException("more than one value on the line");
        }
    }

    private void field(String name) throws IOException {
        switch (name) {
            case "index" -> index = json.nextLong();
            case "timeNs" -> timeNs = json.nextLong();
            case "phase" -> phase = json.nextString();
            case "process" -> process = process();
            case "f" -> f = json.nextString();
            case "steps" -> steps = steps();
            case "keys" -> keys = numbers();
            case "start" -> start = json.nextString();
            case "acks" -> acks = json.nextString();
            case "idempotent" -> idempotence = json.nextBoolean() ? Idempotence.ON : Idempotence.OFF;
            case "rebalanced" -> rebalanced = numbers();
            case "truncated" -> truncated();
            case "value" -> value = json.nextString();
            case "error" -> error = json.nextString();
            case "version" -> version = json.nextLong();
            default -> json.skipValue();
        }
    }

    private Decoded event() {
        if (version != MISSING) {
            return version == JsonLinesFormat.VERSION
                    ? Decoded.NOTHING
                    : Decoded.bad(1, "a history of version " + version + ", which is not known here");
        }
        if (index < 0 || timeNs < 0 || process < HistoryEvent.NEMESIS) {
            return Decoded.bad(1, "index, timeNs or process is missing or negative");
        }
        Phase known = Phase.labelled(phase)
                .orElseThrow(() -> new IllegalArgumentException("phase is none of invoke, ok, fail, info"));
        return Decoded.of(new HistoryEvent(index, timeNs, known, process, action(), error));
    }

    private Action action() {
        if (f.isEmpty()) {
            throw new IllegalArgumentException("f is missing");
        }
        if (process == HistoryEvent.NEMESIS) {
            return new Note(f, value);
        }
        return switch (f) {
            case "send" -> transfer(Function.SEND);
            case "poll" -> transfer(Function.POLL);
            case "txn" -> transfer(Function.TXN);
            case "assign" -> new Assignment(Via.ASSIGN, keys, start());
            case "subscribe" -> new Assignment(Via.SUBSCRIBE, keys, start());
            case Crash.F -> new Crash();
            default -> new Note(f, value);
        };
    }

    private Transfer transfer(Function function) {
        Acks promised = Acks.labelled(acks)
                .orElseThrow(() -> new IllegalArgumentException("acks is none of none, leader, all: " + acks));
        return new Transfer(function, steps, new SendMode(promised, idempotence), rebalanced, truncated);
    }

    private Start start() {
        for (Start known : Start.values()) {
            if (known.name().toLowerCase(Locale.ROOT).equals(start)) {
                return known;
            }
        }
        throw new IllegalArgumentException("start is none of kept, beginning, final_read: " + start);
    }

    private int process() throws IOException {
        if (json.peek() == JsonToken.NUMBER) {
            int number = json.nextInt();
            return number < 0 ? MISSING - 1 : number;
        }
        String name = json.nextString();
        if (!name.equals("nemesis")) {
            throw new IllegalArgumentException("process is neither a number nor nemesis: " + name);
        }
        return HistoryEvent.NEMESIS;
    }

    private List<Step> steps() throws IOException {
        List<Step> all = new ArrayList<>();
        json.beginArray();
        while (json.hasNext()) {
            json.beginObject();
            String kind = json.nextName();
            all.add(
                    switch (kind) {
                        case "send" -> send();
                        case "poll" -> poll();
                        default -> throw new IllegalArgumentException("a step is send or poll, not " + kind);
                    });
            json.endObject();
        }
        json.endArray();
        return all;
    }

    private Step send() throws IOException {
        int key = MISSING;
        long sent = MISSING;
        boolean hasValue = false;
        long offset = Step.Send.UNKNOWN_OFFSET;
        long recordKey = Step.Send.NO_RECORD_KEY;
        json.beginObject();
        while (json.hasNext()) {
            switch (json.nextName()) {
                case "key" -> key = json.nextInt();
                case "value" -> {
                    sent = json.nextLong();
                    hasValue = true;
                }
                case "offset" -> offset = json.nextLong();
                case "recordKey" -> recordKey = json.nextLong();
                default -> json.skipValue();
            }
        }
        json.endObject();
        if (key < 0 || !hasValue) {
            throw new IllegalArgumentException("a send without a key or a value");
        }
        return new Step.Send(key, sent, offset, recordKey);
    }

    private Step poll() throws IOException {
        if (json.peek() == JsonToken.NULL) {
            json.nextNull();
            return new Step.Asked();
        }
        List<ReadRecords> records = new ArrayList<>();
        json.beginArray();
        while (json.hasNext()) {
            records.add(records());
        }
        json.endArray();
        return new Step.Poll(records);
    }

    private ReadRecords records() throws IOException {
        int key = MISSING;
        List<long[]> pairs = new ArrayList<>();
        json.beginObject();
        while (json.hasNext()) {
            switch (json.nextName()) {
                case "key" -> key = json.nextInt();
                case "records" -> pairs = pairs();
                default -> json.skipValue();
            }
        }
        json.endObject();
        if (key < 0) {
            throw new IllegalArgumentException("polled records without a key");
        }
        return ReadRecords.of(
                key,
                pairs.stream().mapToLong(pair -> pair[0]).toArray(),
                pairs.stream().mapToLong(pair -> pair[1]).toArray());
    }

    private List<long[]> pairs() throws IOException {
        List<long[]> pairs = new ArrayList<>();
        json.beginArray();
        while (json.hasNext()) {
            json.beginArray();
            pairs.add(new long[] {json.nextLong(), json.nextLong()});
            json.endArray();
        }
        json.endArray();
        return pairs;
    }

    private List<Integer> numbers() throws IOException {
        List<Integer> numbers = new ArrayList<>();
        json.beginArray();
        while (json.hasNext()) {
            numbers.add(json.nextInt());
        }
        json.endArray();
        return numbers;
    }

    private void truncated() throws IOException {
        json.beginObject();
        while (json.hasNext()) {
            truncated.put(Integer.parseInt(json.nextName()), json.nextLong());
        }
        json.endObject();
    }
}
