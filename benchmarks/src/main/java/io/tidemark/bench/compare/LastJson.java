package io.tidemark.bench.compare;

import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import java.util.List;

/** The result that a client prints as the last line that is JSON. */
final class LastJson {
    private LastJson() {}

    /** @throws JobFailure if there is none */
    static JsonObject of(List<String> output) {
        for (int i = output.size() - 1; i >= 0; i--) {
            if (output.get(i).startsWith("{")) {
                try {
                    return JsonParser.parseString(output.get(i)).getAsJsonObject();
                } catch (JsonParseException e) {
                    throw new JobFailure("not JSON: " + output.get(i));
                }
            }
        }
        throw new JobFailure("the client printed no result");
    }
}
