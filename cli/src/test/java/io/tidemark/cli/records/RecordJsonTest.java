package io.tidemark.cli.records;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.client.consumer.ConsumerRecord;
import io.tidemark.model.TopicPartition;
import io.tidemark.record.Header;
import io.tidemark.record.LogRecord;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;

final class RecordJsonTest {
    private static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes(UTF_8));
    }

    // Issue 3 (JSON for programs); fails if: a part of the record is left out, or null is written as empty.
    @Test
    void shouldWriteEverythingThatARecordHasOnOneLine() throws IOException {
        // given
        List<Header> headers =
                List.of(new Header("trace", bytes("a\"b")), new Header("trace", bytes("")), new Header("none", null));
        LogRecord record = new LogRecord(7, 1_700_000_000_000L, null, bytes("line\n2"), headers);
        ByteArrayOutputStream out = new ByteArrayOutputStream();

        // when
        RecordJson.write(new ConsumerRecord(new TopicPartition("orders", 2), record, 5), out);

        // then
        assertThat(out.toString(UTF_8))
                .isEqualTo("{\"topic\":\"orders\",\"partition\":2,\"offset\":7,\"leaderEpoch\":5,"
                        + "\"timestampMs\":1700000000000,\"key\":null,\"value\":\"line\\n2\","
                        + "\"headers\":[{\"key\":\"trace\",\"value\":\"a\\\"b\"},"
                        + "{\"key\":\"trace\",\"value\":\"\"},{\"key\":\"none\",\"value\":null}]}\n");
    }
}
