package io.tidemark.cli.records;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.client.consumer.ConsumerRecord;
import io.tidemark.model.TopicPartition;
import io.tidemark.record.Header;
import io.tidemark.record.LogRecord;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class RecordFormatTest {
    private static final ConsumerRecord RECORD = new ConsumerRecord(
            new TopicPartition("orders", 3),
            new LogRecord(
                    42, 1_500, bytes("k"), bytes("v"), List.of(new Header("a", bytes("1")), new Header("b", null))),
            7);

    private static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes(UTF_8));
    }

    private static String print(String format, ConsumerRecord record) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        new RecordFormat(format).write(record, out);
        return out.toString(UTF_8);
    }

    @ParameterizedTest
    @CsvSource({
        "%t, orders",
        "%p, 3",
        "%o, 42",
        "%k, k",
        "%v, v",
        "%T, 1500",
        "%d, 1970-01-01T00:00:01.500Z",
        "%h, 'a=1,b='",
        "100%%, 100%",
        "%%t, %t",
        "<%t-%p@%o>, <orders-3@42>",
        "größe %v, größe v"
    })
    void shouldPrint(String format, String expected) throws IOException {
        assertThat(print(format, RECORD)).isEqualTo(expected);
    }

    @Test
    void shouldKnowEscapes() throws IOException {
        assertThat(print("a\\n\\t\\r\\\\n", RECORD)).isEqualTo("a\n\t\r\\n");
    }

    @Test
    void shouldPrintTheSameRecordTwice() throws IOException {
        assertThat(print("%k%k %v%v", RECORD)).isEqualTo("kk vv");
    }

    @Test
    void shouldPrintNothingForNull() throws IOException {
        // given
        ConsumerRecord empty = new ConsumerRecord(RECORD.partition(), new LogRecord(0, -1, null, null, List.of()), 1);

        // then
        assertThat(print("[%k][%v][%h]", empty)).isEqualTo("[][][]");
    }

    @Test
    void shouldPrintBytesThatAreNoText() throws IOException {
        // given
        byte[] raw = {(byte) 0xff, 0, (byte) 0x80};
        ConsumerRecord record =
                new ConsumerRecord(RECORD.partition(), new LogRecord(0, 0, null, ByteBuffer.wrap(raw), List.of()), 1);
        ByteArrayOutputStream out = new ByteArrayOutputStream();

        // when
        new RecordFormat("%v").write(record, out);

        // then
        assertThat(out.toByteArray()).isEqualTo(raw);
    }

    @ParameterizedTest
    @ValueSource(strings = {"%x", "%", "a%", "\\q", "%%%"})
    void shouldRefuseWhatItDoesNotKnow(String format) {
        assertThatThrownBy(() -> new RecordFormat(format)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void shouldRefuseABackslashAtTheEnd() {
        assertThatThrownBy(() -> new RecordFormat("a\\")).isInstanceOf(IllegalArgumentException.class);
    }
}
