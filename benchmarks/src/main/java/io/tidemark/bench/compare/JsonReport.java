package io.tidemark.bench.compare;

import com.google.gson.GsonBuilder;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import io.tidemark.bench.compare.Summary.Figures;
import java.util.List;
import java.util.Optional;

/** Everything that was measured, for programs. Its keys are a contract. Pure. */
final class JsonReport {
    private JsonReport() {}

    /** @param machine what the figures were measured on */
    static String of(JsonObject machine, List<Summary> summaries, List<Sample> samples) {
        JsonObject root = new JsonObject();
        root.add("machine", machine);
        JsonArray rows = new JsonArray();
        summaries.forEach(summary -> rows.add(row(summary)));
        root.add("rows", rows);
        JsonArray all = new JsonArray();
        samples.forEach(sample -> all.add(sample(sample)));
        root.add("samples", all);
        return new GsonBuilder()
                .setPrettyPrinting()
                .serializeNulls()
                .disableHtmlEscaping()
                .create()
                .toJson(root);
    }

    private static JsonObject row(Summary summary) {
        Row row = summary.row();
        JsonObject json = new JsonObject();
        json.addProperty("row", row.key());
        json.addProperty("title", row.title());
        json.addProperty("metric", row.metric().key());
        json.addProperty("target", row.target().text(row.metric()));
        json.add("kafka", figures(summary.kafka()));
        json.add("tidemark", figures(summary.tidemark()));
        json.add("ratio", figures(summary.ratio()));
        json.add("met", summary.isMet().<JsonElement>map(JsonPrimitive::new).orElse(JsonNull.INSTANCE));
        return json;
    }

    private static JsonElement figures(Optional<Figures> figures) {
        return figures.<JsonElement>map(each -> {
                    JsonObject json = new JsonObject();
                    json.addProperty("median", each.median());
                    json.addProperty("min", each.min());
                    json.addProperty("max", each.max());
                    json.addProperty("count", each.count());
                    json.addProperty("failed", each.failed());
                    json.addProperty("maxOtherPercent", each.maxOtherPercent());
                    return json;
                })
                .orElse(JsonNull.INSTANCE);
    }

    private static JsonObject sample(Sample sample) {
        JsonObject json = new JsonObject();
        json.addProperty("system", sample.system());
        json.addProperty("repetition", sample.repetition());
        json.addProperty("job", sample.job().name());
        json.addProperty("wallSeconds", sample.wallSeconds());
        json.addProperty("otherPercent", sample.otherPercent());
        json.addProperty("failure", sample.failure());
        JsonObject values = new JsonObject();
        sample.values().forEach((metric, value) -> values.addProperty(metric.key(), value));
        json.add("values", values);
        return json;
    }
}
