package io.tidemark.cli;

import com.google.gson.JsonObject;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;

/**
 * How things of one kind are shown: the columns of a table, the JSON of one of them, its name. Immutable; columns are as
 * wide as their widest cell, numbers stand to the right.
 */
public final class Listing<T> {
    private static final String GAP = "  ";

    private enum Side {
        LEFT,
        RIGHT
    }

    private record Column<T>(String header, Side side, Function<? super T, String> cell) {}

    private final Function<? super T, JsonObject> json;
    private final Function<? super T, String> name;
    private final List<Column<T>> columns;

    private Listing(Function<? super T, JsonObject> json, Function<? super T, String> name, List<Column<T>> columns) {
        this.json = json;
        this.name = name;
        this.columns = columns;
    }

    /** A listing without columns. */
    public static <T> Listing<T> of(Function<? super T, JsonObject> json, Function<? super T, String> name) {
        return new Listing<>(json, name, List.of());
    }

    /** This with a column more. */
    public Listing<T> text(String header, Function<? super T, String> cell) {
        return with(new Column<>(header, Side.LEFT, cell));
    }

    /** This with a column of numbers more. */
    public Listing<T> number(String header, Function<? super T, ? extends Number> cell) {
        return with(new Column<>(header, Side.RIGHT, item -> cell.apply(item).toString()));
    }

    /** This with a column of numbers with their units more. */
    public Listing<T> amount(String header, Function<? super T, String> cell) {
        return with(new Column<>(header, Side.RIGHT, cell));
    }

    private Listing<T> with(Column<T> column) {
        List<Column<T>> more = new ArrayList<>(columns);
        more.add(column);
        return new Listing<>(json, name, List.copyOf(more));
    }

    JsonObject json(T item) {
        return json.apply(item);
    }

    String name(T item) {
        return name.apply(item);
    }

    List<String> table(Collection<T> items, Output.Headers headers) {
        List<List<String>> rows = new ArrayList<>();
        if (headers == Output.Headers.SHOWN) {
            rows.add(columns.stream().map(Column::header).toList());
        }
        items.forEach(item -> rows.add(
                columns.stream().map(column -> column.cell().apply(item)).toList()));
        int[] widths = new int[columns.size()];
        for (List<String> row : rows) {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        }
        return rows.stream().map(row -> line(row, widths)).toList();
    }

    private String line(List<String> row, int[] widths) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < widths.length; i++) {
            String cell = row.get(i);
            String padding = " ".repeat(widths[i] - cell.length());
            line.append(i == 0 ? "" : GAP);
            line.append(columns.get(i).side() == Side.LEFT ? cell + padding : padding + cell);
        }
        return line.toString().stripTrailing();
    }
}
