package io.tidemark.checker;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.util.Collection;
import java.util.Locale;

/** A verdict for programs: {@code valid}, {@code badErrors}, {@code reportedErrors}, and per kind the cases and their number. */
public final class VerdictJson {
    private VerdictJson() {}

    /** The verdict as one object. */
    public static JsonObject of(Verdict verdict) {
        JsonObject json = new JsonObject();
        json.addProperty("valid", verdict.isValid());
        json.add("badErrors", names(verdict.badKinds()));
        json.add("reportedErrors", names(verdict.reportedKinds()));
        JsonObject details = new JsonObject();
        JsonObject counts = new JsonObject();
        for (KindFindings kind : verdict.found()) {
            JsonArray cases = new JsonArray();
            kind.cases().forEach(one -> cases.add(one.facts().json()));
            details.add(kind.kind().label(), cases);
            JsonObject count = new JsonObject();
            count.addProperty("bad", kind.badCount());
            count.addProperty("reported", kind.reportedCount());
            counts.add(kind.kind().label(), count);
        }
        json.add("details", details);
        json.add("counts", counts);
        json.add("coverage", coverage(verdict.coverage()));
        json.add("options", options(verdict.options()));
        return json;
    }

    private static JsonElement names(Collection<String> names) {
        JsonArray array = new JsonArray();
        names.forEach(array::add);
        return array;
    }

    private static JsonElement coverage(Coverage coverage) {
        JsonObject json = new JsonObject();
        json.addProperty("operations", coverage.operations());
        json.addProperty("ok", coverage.ok());
        json.addProperty("failed", coverage.failed());
        json.addProperty("unknown", coverage.unknown());
        json.addProperty("sent", coverage.sent());
        json.addProperty("read", coverage.read());
        json.addProperty("faults", coverage.faults());
        json.addProperty("finalReads", coverage.finalReads());
        return json;
    }

    private static JsonElement options(CheckOptions options) {
        JsonObject json = new JsonObject();
        json.addProperty("rules", options.rules().name().toLowerCase(Locale.ROOT));
        json.addProperty("subVia", options.subVia().label());
        json.addProperty("wwDeps", options.writeOrder() == CheckOptions.WriteOrder.DRAWN);
        return json;
    }
}
