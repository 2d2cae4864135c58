package io.tidemark.cli.log;

import com.google.gson.JsonObject;
import io.tidemark.core.log.offline.IndexEntry;
import io.tidemark.core.log.offline.StoredBatch;
import io.tidemark.record.LogRecord;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** How what is stored in a log is printed, for people and for programs. */
final class LogText {
    private LogText() {}

    static JsonObject json(IndexEntry entry) {
        JsonObject json = new JsonObject();
        json.addProperty("lastOffset", entry.lastOffset());
        json.addProperty("position", entry.position());
        return json;
    }

    static JsonObject json(StoredBatch batch) {
        JsonObject json = new JsonObject();
        json.addProperty("position", batch.position());
        json.addProperty("base", batch.baseOffset());
        json.addProperty("last", batch.lastOffset());
        json.addProperty("records", batch.recordCount());
        json.addProperty("epoch", batch.leaderEpoch());
        json.addProperty("bytes", batch.sizeBytes());
        json.addProperty("maxTimestampMs", batch.maxTimestampMs());
        json.addProperty("crc", batch.crc());
        json.addProperty("valid", batch.isCrcValid());
        return json;
    }

    static String line(StoredBatch batch) {
        return "base " + batch.baseOffset() + " last " + batch.lastOffset() + " epoch " + batch.leaderEpoch()
                + " crc " + batch.crc() + (batch.isCrcValid() ? "" : " (DAMAGED)") + " records "
                + batch.recordCount() + " bytes " + batch.sizeBytes() + " position " + batch.position()
                + " producer " + batch.producer();
    }

    static JsonObject json(LogRecord record) {
        JsonObject json = new JsonObject();
        json.addProperty("offset", record.offset());
        json.addProperty("timestampMs", record.timestampMs());
        json.addProperty("key", text(record.key()));
        json.addProperty("value", text(record.value()));
        return json;
    }

    static String line(LogRecord record) {
        return "  offset " + record.offset() + " key " + text(record.key()) + " value " + text(record.value());
    }

    private static @Nullable String text(@Nullable ByteBuffer bytes) {
        return bytes == null
                ? null
                : StandardCharsets.UTF_8.decode(bytes.duplicate()).toString();
    }
}
