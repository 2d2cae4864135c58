package io.tidemark.cli;

import com.google.gson.JsonObject;
import java.util.ArrayList;
import java.util.List;

/** Properties of one thing in the order in which a person reads them. */
public final class Facts {
    static final Listing<Row> LISTING = Listing.<Row>of(row -> new JsonObject(), Row::label)
            .text("PROPERTY", Row::label)
            .text("VALUE", Row::value);

    /** One property. */
    record Row(String label, String value) {}

    private final String name;
    private final List<Row> rows = new ArrayList<>();

    /** @param name what {@code -o name} prints */
    public Facts(String name) {
        this.name = name;
    }

    /** Adds a property; answers this. */
    public Facts with(String label, String value) {
        rows.add(new Row(label, value));
        return this;
    }

    /** Adds a number; answers this. */
    public Facts with(String label, long value) {
        return with(label, Long.toString(value));
    }

    String name() {
        return name;
    }

    List<Row> rows() {
        return List.copyOf(rows);
    }
}
