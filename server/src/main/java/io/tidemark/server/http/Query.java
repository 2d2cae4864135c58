package io.tidemark.server.http;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What stands behind the question mark of an address; of a name that is given twice the first counts. */
public final class Query {
    private static final int MAX_LENGTH = 2_048;

    private final SortedMap<String, String> values = new TreeMap<>();

    private Query() {}

    /**
     * @param raw as it was sent, null if there was none
     * @throws IllegalArgumentException for people, if it cannot be read
     */
    static Query of(@Nullable String raw) {
        Query query = new Query();
        if (raw == null || raw.isEmpty()) {
            return query;
        }
        if (raw.length() > MAX_LENGTH) {
            throw new IllegalArgumentException("a query of more than " + MAX_LENGTH + " characters");
        }
        for (String part : raw.split("&", -1)) {
            int equals = part.indexOf('=');
            String name = equals < 0 ? part : part.substring(0, equals);
            query.values.putIfAbsent(decoded(name), equals < 0 ? "" : decoded(part.substring(equals + 1)));
        }
        return query;
    }

    /** Whether the name is there, with or without a value. */
    public boolean has(String name) {
        return values.containsKey(name);
    }

    /** Empty if the name is not there. */
    public Optional<String> value(String name) {
        return Optional.ofNullable(values.get(name));
    }

    private static String decoded(String text) {
        return URLDecoder.decode(text, StandardCharsets.UTF_8);
    }
}
