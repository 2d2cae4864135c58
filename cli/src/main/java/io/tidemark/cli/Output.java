package io.tidemark.cli;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.io.PrintWriter;
import java.util.Collection;
import java.util.List;
import java.util.function.Supplier;

/**
 * The one way to print. Data goes to standard output, for people as a table or for programs as JSON or names; everything
 * else goes to standard error. JSON is a contract: raw numbers, stable keys, one line per value. Units and alignment
 * belong to tables alone.
 */
public final class Output {
    /** How data is written. The names are those that {@code -o} takes. */
    public enum Format {
        /** Aligned columns, units. */
        table,
        /** One line for everything that was found. */
        json,
        /** One line per thing that was found. */
        jsonl,
        /** The name of each thing, one per line, for shells. */
        name
    }

    /** Whether a table says what its columns are. */
    public enum Headers {
        SHOWN,
        HIDDEN
    }

    private final Format format;
    private final Headers headers;
    private final PrintWriter out;
    private final PrintWriter err;

    public Output(Format format, Headers headers, PrintWriter out, PrintWriter err) {
        this.format = format;
        this.headers = headers;
        this.out = out;
        this.err = err;
    }

    /** Whether a program reads what is printed: then nothing else is said unless something is wrong. */
    public boolean isForPrograms() {
        return format != Format.table;
    }

    /** Things of one kind. */
    public <T> void list(Listing<T> listing, Collection<T> items) {
        switch (format) {
            case table -> listing.table(items, headers).forEach(out::println);
            case json -> {
                JsonArray all = new JsonArray();
                items.forEach(item -> all.add(listing.json(item)));
                json(all);
            }
            case jsonl -> items.forEach(item -> json(listing.json(item)));
            case name -> items.forEach(item -> out.println(listing.name(item)));
            default -> throw new IllegalStateException(format.toString());
        }
        out.flush();
    }

    /** One thing, as a table of its properties. */
    public void facts(JsonObject json, Facts facts) {
        one(json, facts.name(), () -> Facts.LISTING.table(facts.rows(), headers));
    }

    /** One thing, in the words of a person. */
    public void sentence(JsonObject json, String name, String sentence) {
        one(json, name, () -> List.of(sentence));
    }

    /**
     * One thing that holds others: JSON has it whole, a table has its head and then its parts.
     *
     * @param head lines above the table
     */
    public <T> void tree(JsonObject json, List<String> head, Listing<T> listing, Collection<T> parts) {
        switch (format) {
            case table -> {
                head.forEach(out::println);
                list(listing, parts);
            }
            case json, jsonl -> json(json);
            case name -> list(listing, parts);
            default -> throw new IllegalStateException(format.toString());
        }
        out.flush();
    }

    /** One of very many things, printed as it is found: a line of JSON, or a line for people. */
    public void entry(Supplier<JsonObject> json, Supplier<String> line) {
        if (format == Format.table) {
            out.println(line.get());
        } else {
            json(json.get());
        }
    }

    /** A line for people alone, after a table. */
    public void remark(String text) {
        if (format == Format.table) {
            out.println(text);
            out.flush();
        }
    }

    /** How far work is that takes long, for people alone; on standard error. */
    public void progress(String text) {
        if (format == Format.table) {
            note(text);
        }
    }

    /** Warnings. */
    public void note(String text) {
        err.println(text);
        err.flush();
    }

    private void one(JsonObject json, String name, Supplier<List<String>> lines) {
        switch (format) {
            case table -> lines.get().forEach(out::println);
            case json, jsonl -> json(json);
            case name -> out.println(name);
            default -> throw new IllegalStateException(format.toString());
        }
        out.flush();
    }

    private void json(JsonElement element) {
        out.println(Json.text(element));
    }

    /** Loaded when JSON is first written: who asks for a table does not wait for it. */
    public static final class Json {
        private static final Gson GSON =
                new GsonBuilder().disableHtmlEscaping().serializeNulls().create();

        private Json() {}

        /** JSON on one line, nulls written out. */
        public static String text(JsonElement element) {
            return GSON.toJson(element);
        }
    }
}
