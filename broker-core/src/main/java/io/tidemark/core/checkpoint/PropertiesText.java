package io.tidemark.core.checkpoint;

import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;

/**
 * Lines of {@code key=value} in ASCII, readable by a person and by {@link Properties}. The first is {@code version=1}.
 * Keys that a reader does not know are ignored.
 */
final class PropertiesText {
    private static final String VERSION_KEY = "version";
    private static final String VERSION = "1";

    private final Map<String, String> values = new LinkedHashMap<>();

    /** Adds a line; the value is of printable ASCII without blanks and backslashes. */
    PropertiesText with(String key, String value) {
        if (!value.matches("[!-\\[\\]-~]*")) {
            throw new IllegalArgumentException("not a plain value of " + key + ": \"" + value + "\"");
        }
        values.put(key, value);
        return this;
    }

    byte[] encode() {
        StringBuilder text = new StringBuilder(VERSION_KEY + "=" + VERSION + "\n");
        values.forEach(
                (key, value) -> text.append(key).append('=').append(value).append('\n'));
        return text.toString().getBytes(StandardCharsets.US_ASCII);
    }

    static PropertiesText decode(byte[] content) throws DamagedContentException {
        Properties properties = new Properties();
        try {
            properties.load(new StringReader(new String(content, StandardCharsets.ISO_8859_1)));
        } catch (IOException | IllegalArgumentException e) {
            throw new DamagedContentException("it is not lines of key=value: " + e.getMessage());
        }
        PropertiesText text = new PropertiesText();
        properties.stringPropertyNames().forEach(key -> text.values.put(key, properties.getProperty(key)));
        String version = text.required(VERSION_KEY);
        if (!version.equals(VERSION)) {
            throw new DamagedContentException("its version is " + version + ", this program knows " + VERSION);
        }
        return text;
    }

    Optional<String> optional(String key) {
        return Optional.ofNullable(values.get(key)).filter(value -> !value.isEmpty());
    }

    String required(String key) throws DamagedContentException {
        return optional(key).orElseThrow(() -> new DamagedContentException("it has no " + key));
    }

    long requiredNumber(String key) throws DamagedContentException {
        String value = required(key);
        try {
            return Long.parseLong(value);
        } catch (NumberFormatException e) {
            throw new DamagedContentException(key + " is no number: " + value);
        }
    }
}
