package io.tidemark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;

/** OPERATIONS 1.1: tables for people, JSON as a contract, data on standard output alone. */
final class OutputTest {
    private record Thing(String name, long size) {}

    private static final List<Thing> THINGS = List.of(new Thing("a", 5), new Thing("long-name", 1_234));
    private static final Listing<Thing> LISTING = Listing.<Thing>of(OutputTest::json, Thing::name)
            .text("NAME", Thing::name)
            .number("SIZE", Thing::size)
            .text("NOTE", thing -> thing.size() > 10 ? "large" : "");

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private static JsonObject json(Thing thing) {
        JsonObject json = new JsonObject();
        json.addProperty("name", thing.name());
        json.addProperty("size", thing.size());
        json.addProperty("rack", (String) null);
        return json;
    }

    private Output output(Output.Format format, Output.Headers headers) {
        return new Output(format, headers, new PrintWriter(out), new PrintWriter(err));
    }

    private Output output(Output.Format format) {
        return output(format, Output.Headers.SHOWN);
    }

    @Test
    void shouldAlignTextLeftAndNumbersRight() {
        // when
        output(Output.Format.table).list(LISTING, THINGS);

        // then
        assertThat(out).hasToString("NAME       SIZE  NOTE\na             5\nlong-name  1234  large\n");
    }

    @Test
    void shouldLeaveOutTheHeader() {
        // when
        output(Output.Format.table, Output.Headers.HIDDEN).list(LISTING, THINGS);

        // then
        assertThat(out).hasToString("a             5\nlong-name  1234  large\n");
    }

    @Test
    void shouldWriteAllAsOneLineOfJson() {
        // when
        output(Output.Format.json).list(LISTING, THINGS);

        // then
        assertThat(out)
                .hasToString("[{\"name\":\"a\",\"size\":5,\"rack\":null},"
                        + "{\"name\":\"long-name\",\"size\":1234,\"rack\":null}]\n");
    }

    @Test
    void shouldWriteEachAsALineOfJson() {
        // when
        output(Output.Format.jsonl).list(LISTING, THINGS);

        // then
        assertThat(out.toString().lines())
                .containsExactly(
                        "{\"name\":\"a\",\"size\":5,\"rack\":null}",
                        "{\"name\":\"long-name\",\"size\":1234,\"rack\":null}");
    }

    @Test
    void shouldWriteNamesAlone() {
        // when
        output(Output.Format.name).list(LISTING, THINGS);

        // then
        assertThat(out).hasToString("a\nlong-name\n");
    }

    @Test
    void shouldWriteNoJsonForAnEmptyListButItsBrackets() {
        // when
        output(Output.Format.json).list(LISTING, List.of());

        // then
        assertThat(out).hasToString("[]\n");
    }

    @Test
    void shouldShowOneThingInItsOwnWayToEachReader() {
        // given
        Facts facts = new Facts("a").with("size", "5 B").with("records", 7);

        // when
        output(Output.Format.table).facts(json(THINGS.get(0)), facts);
        output(Output.Format.json).facts(json(THINGS.get(0)), facts);
        output(Output.Format.name).facts(json(THINGS.get(0)), facts);

        // then
        assertThat(out)
                .hasToString("PROPERTY  VALUE\nsize      5 B\nrecords   7\n"
                        + "{\"name\":\"a\",\"size\":5,\"rack\":null}\n" + "a\n");
    }

    @Test
    void shouldKeepRemarksFromPrograms() {
        // when
        output(Output.Format.json).remark("all is well");
        output(Output.Format.json).note("a warning");

        // then
        assertThat(out).hasToString("");
        assertThat(err).hasToString("a warning\n");
    }
}
