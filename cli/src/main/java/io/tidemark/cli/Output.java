package io.tidemark.cli;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonElement;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;

/** Data goes to standard output, as a table for people or one line of JSON for programs; the rest to standard error. */
public final class Output {
    private static final Gson GSON =
            new GsonBuilder().disableHtmlEscaping().serializeNulls().create();
    private static final String GAP = "  ";

    /** How data is written. */
    public enum Format {
        table,
        json
    }

    private final Format format;
    private final PrintStream out;
    private final PrintStream err;

    public Output(Format format, PrintStream out, PrintStream err) {
        this.format = format;
        this.out = out;
        this.err = err;
    }

    public boolean isJson() {
        return format == Format.json;
    }

    public PrintStream out() {
        return out;
    }

    /** One line of JSON. */
    public void json(JsonElement element) {
        out.println(GSON.toJson(element));
    }

    /** A line of data for people. */
    public void line(String text) {
        out.println(text);
    }

    /** Progress and warnings. */
    public void note(String text) {
        err.println(text);
    }

    /** Columns as wide as their widest cell. */
    public void table(List<String> header, List<List<String>> rows) {
        List<List<String>> all = new ArrayList<>();
        all.add(header);
        all.addAll(rows);
        int[] widths = new int[header.size()];
        for (List<String> row : all) {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        }
        for (List<String> row : all) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < widths.length; i++) {
                boolean last = i == widths.length - 1;
                line.append(row.get(i));
                if (!last) {
                    line.append(" ".repeat(widths[i] - row.get(i).length())).append(GAP);
                }
            }
            out.println(line);
        }
    }
}
