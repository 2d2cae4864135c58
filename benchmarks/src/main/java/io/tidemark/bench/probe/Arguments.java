package io.tidemark.bench.probe;

import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** What the comparison tells its client process: a system, a command, and {@code key=value} words. */
record Arguments(String system, String command, Map<String, String> values) {
    private static final int BEFORE_VALUES = 2;

    static Arguments of(List<String> words) {
        if (words.size() < BEFORE_VALUES) {
            throw new IllegalArgumentException("usage: Probe kafka|tidemark COMMAND key=value...");
        }
        SortedMap<String, String> values = new TreeMap<>();
        for (String word : words.subList(BEFORE_VALUES, words.size())) {
            int at = word.indexOf('=');
            if (at < 1) {
                throw new IllegalArgumentException("expected key=value, not " + word);
            }
            values.put(word.substring(0, at), word.substring(at + 1));
        }
        return new Arguments(words.get(0), words.get(1), values);
    }

    String text(String key) {
        String value = values.get(key);
        if (value == null) {
            throw new IllegalArgumentException("missing: " + key);
        }
        return value;
    }

    int number(String key) {
        return Integer.parseInt(text(key));
    }

    /** Process ids by broker: {@code pids=1:4711,2:4712}. */
    Map<Integer, Long> pids() {
        SortedMap<Integer, Long> pids = new TreeMap<>();
        for (String pair : text("pids").split(",", -1)) {
            int at = pair.indexOf(':');
            pids.put(Integer.valueOf(pair.substring(0, at)), Long.valueOf(pair.substring(at + 1)));
        }
        return pids;
    }
}
