package io.tidemark.bench.report;

import java.util.ArrayList;
import java.util.List;

/** A table: columns for a terminal, or Markdown. Pure. */
public final class Columns {
    private static final String GAP = "  ";

    private final List<String> header;
    private final List<List<String>> lines;

    /** @param lines each with as many cells as {@code header} */
    public Columns(List<String> header, List<List<String>> lines) {
        this.header = List.copyOf(header);
        this.lines = List.copyOf(lines);
    }

    /** Columns as wide as their widest cell. */
    public String text() {
        List<List<String>> all = new ArrayList<>();
        all.add(header);
        all.addAll(lines);
        int[] widths = new int[header.size()];
        for (List<String> line : all) {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], line.get(i).length());
            }
        }
        StringBuilder text = new StringBuilder();
        for (List<String> line : all) {
            StringBuilder padded = new StringBuilder();
            for (int i = 0; i < widths.length; i++) {
                padded.append(line.get(i))
                        .append(" ".repeat(widths[i] - line.get(i).length()))
                        .append(GAP);
            }
            text.append(padded.toString().stripTrailing()).append('\n');
        }
        return text.toString();
    }

    /** A table of Markdown. */
    public String markdown() {
        StringBuilder text = new StringBuilder();
        text.append("| ").append(String.join(" | ", header)).append(" |\n");
        text.append("|").append("---|".repeat(header.size())).append('\n');
        lines.forEach(line -> text.append("| ").append(String.join(" | ", line)).append(" |\n"));
        return text.toString();
    }
}
