package io.tidemark.cli.records;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import io.tidemark.cli.Output;
import io.tidemark.client.consumer.ConsumerRecord;
import io.tidemark.record.Header;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A record as one line of JSON; bytes that are no UTF-8 become U+FFFD. The keys are a contract. */
final class RecordJson {
    private RecordJson() {}

    static void write(ConsumerRecord record, OutputStream out) throws IOException {
        JsonObject json = new JsonObject();
        json.addProperty("topic", record.partition().topic());
        json.addProperty("partition", record.partition().partition());
        json.addProperty("offset", record.offset());
        json.addProperty("leaderEpoch", record.leaderEpoch());
        json.addProperty("timestampMs", record.record().timestampMs());
        json.addProperty("key", text(record.record().key()));
        json.addProperty("value", text(record.record().value()));
        json.add("headers", headers(record.record().headers()));
        out.write((Output.Json.text(json) + "\n").getBytes(StandardCharsets.UTF_8));
    }

    /** In their order; names may come more than once. */
    private static JsonArray headers(List<Header> headers) {
        JsonArray all = new JsonArray();
        for (Header header : headers) {
            JsonObject json = new JsonObject();
            json.addProperty("key", header.key());
            json.addProperty("value", text(header.value()));
            all.add(json);
        }
        return all;
    }

    private static @Nullable String text(@Nullable ByteBuffer bytes) {
        return bytes == null
                ? null
                : StandardCharsets.UTF_8.decode(bytes.duplicate()).toString();
    }
}
