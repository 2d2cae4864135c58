package io.tidemark.cli.records;

import io.tidemark.client.consumer.ConsumerRecord;
import io.tidemark.record.Header;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a record is printed: kcat's percent formats. {@code %t} topic, {@code %p} partition, {@code %o} offset, {@code %k}
 * key, {@code %v} value, {@code %h} headers, {@code %d} timestamp as a date, {@code %T} in milliseconds, {@code %%};
 * {@code \n}, {@code \t}, {@code \r}, {@code \\}.
 */
final class RecordFormat {
    /** Writes one piece of a record. */
    private interface Piece {
        void write(ConsumerRecord record, OutputStream out) throws IOException;
    }

    private final List<Piece> pieces = new ArrayList<>();

    /** @throws IllegalArgumentException that names what cannot be understood */
    RecordFormat(String text) {
        StringBuilder literal = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean last = i == text.length() - 1;
            if (c == '\\') {
                literal.append(escape(last ? ' ' : text.charAt(++i)));
            } else if (c == '%' && !last && text.charAt(i + 1) == '%') {
                literal.append('%');
                i++;
            } else if (c == '%') {
                flush(literal);
                pieces.add(piece(last ? ' ' : text.charAt(++i)));
            } else {
                literal.append(c);
            }
        }
        flush(literal);
    }

    void write(ConsumerRecord record, OutputStream out) throws IOException {
        for (Piece piece : pieces) {
            piece.write(record, out);
        }
    }

    private void flush(StringBuilder literal) {
        if (literal.length() > 0) {
            byte[] bytes = literal.toString().getBytes(StandardCharsets.UTF_8);
            pieces.add((record, out) -> out.write(bytes));
            literal.setLength(0);
        }
    }

    private static char escape(char c) {
        return switch (c) {
            case 'n' -> '\n';
            case 't' -> '\t';
            case 'r' -> '\r';
            case '\\' -> '\\';
            default -> throw new IllegalArgumentException("\\" + c + " is not known in a format");
        };
    }

    private static Piece piece(char c) {
        return switch (c) {
            case 't' -> (record, out) -> text(record.partition().topic(), out);
            case 'p' ->
                (record, out) -> text(Integer.toString(record.partition().partition()), out);
            case 'o' -> (record, out) -> text(Long.toString(record.offset()), out);
            case 'k' -> (record, out) -> bytes(record.record().key(), out);
            case 'v' -> (record, out) -> bytes(record.record().value(), out);
            case 'T' -> (record, out) -> text(Long.toString(record.record().timestampMs()), out);
            case 'd' ->
                (record, out) ->
                        text(Instant.ofEpochMilli(record.record().timestampMs()).toString(), out);
            case 'h' -> (record, out) -> headers(record.record().headers(), out);
            default -> throw new IllegalArgumentException("%" + c + " is not known in a format");
        };
    }

    private static void headers(List<Header> headers, OutputStream out) throws IOException {
        String gap = "";
        for (Header header : headers) {
            text(gap + header.key() + "=", out);
            bytes(header.value(), out);
            gap = ",";
        }
    }

    private static void text(String text, OutputStream out) throws IOException {
        out.write(text.getBytes(StandardCharsets.UTF_8));
    }

    private static void bytes(@Nullable ByteBuffer bytes, OutputStream out) throws IOException {
        if (bytes != null) {
            byte[] copy = new byte[bytes.remaining()];
            bytes.duplicate().get(copy);
            out.write(copy);
        }
    }
}
