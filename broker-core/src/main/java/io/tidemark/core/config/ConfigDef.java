package io.tidemark.core.config;

import io.tidemark.model.ClosestName;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The keys that belong together in one file or request. Immutable. */
public final class ConfigDef {
    private final Map<String, ConfigKey<?>> keys = new TreeMap<>();

    ConfigDef(List<ConfigKey<?>> keys) {
        keys.forEach(key -> this.keys.put(key.name(), key));
    }

    /** The keys that documentation shows, by name. */
    public List<ConfigKey<?>> keys() {
        return keys.values().stream().filter(key -> !key.isHidden()).toList();
    }

    /** Reads the values; adds a line to {@code errors} for each that is unknown, missing or wrong. */
    Config parse(Map<String, String> texts, List<String> errors) {
        Map<ConfigKey<?>, Object> values = new HashMap<>();
        for (Map.Entry<String, String> entry : new TreeMap<>(texts).entrySet()) {
            ConfigKey<?> key = keys.get(entry.getKey());
            if (key == null) {
                errors.add("unknown key \"" + entry.getKey() + "\"" + suggestion(entry.getKey()));
            } else {
                parseValue(key, entry.getValue(), values, errors);
            }
        }
        for (ConfigKey<?> key : keys.values()) {
            if (key.isRequired() && !texts.containsKey(key.name())) {
                errors.add("\"" + key.name() + "\" is missing: " + key.doc());
            }
        }
        return new Config(values);
    }

    private static void parseValue(
            ConfigKey<?> key, String text, Map<ConfigKey<?>, Object> values, List<String> errors) {
        try {
            values.put(key, key.parse(text));
        } catch (IllegalArgumentException e) {
            errors.add("\"" + key.name() + "\" is \"" + text + "\": " + e.getMessage());
        }
    }

    private String suggestion(String unknown) {
        List<String> known = new ArrayList<>();
        keys().forEach(key -> known.add(key.name()));
        Optional<String> closest = ClosestName.of(unknown, known);
        return closest.map(name -> "; did you mean \"" + name + "\"?").orElse("");
    }
}
