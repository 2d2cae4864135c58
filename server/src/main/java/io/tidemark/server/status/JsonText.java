package io.tidemark.server.status;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * JSON text of maps with string keys, lists, strings, numbers, booleans and null. What HTML gives a meaning is written as an
 * escape, so that a page that is shown as something else does no harm.
 */
public final class JsonText {
    private final StringBuilder out = new StringBuilder(1_024);

    private JsonText() {}

    /** @throws IllegalArgumentException for a value of another kind */
    public static String of(Object value) {
        JsonText text = new JsonText();
        text.value(value);
        return text.out.append('\n').toString();
    }

    private void value(@Nullable Object value) {
        if (value instanceof Map<?, ?> map) {
            object(map);
        } else if (value instanceof List<?> list) {
            array(list);
        } else if (value instanceof String string) {
            string(string);
        } else if (value == null || value instanceof Integer || value instanceof Long || value instanceof Boolean) {
            out.append(value);
        } else {
            throw new IllegalArgumentException("not a JSON value: " + value.getClass());
        }
    }

    private void object(Map<?, ?> map) {
        out.append('{');
        String separator = "";
        for (Map.Entry<?, ?> entry : map.entrySet()) {
            out.append(separator);
            string(String.valueOf(entry.getKey()));
            out.append(':');
            value(entry.getValue());
            separator = ",";
        }
        out.append('}');
    }

    private void array(List<?> list) {
        out.append('[');
        String separator = "";
        for (Object item : list) {
            out.append(separator);
            value(item);
            separator = ",";
        }
        out.append(']');
    }

    private void string(String text) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c < ' ' || c == '<' || c == '>' || c == '&' || c == '\u2028' || c == '\u2029') {
                out.append(String.format("\\u%04x", (int) c));
            } else {
                out.append(c);
            }
        }
        out.append('"');
    }
}
