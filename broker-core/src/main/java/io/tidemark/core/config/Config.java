package io.tidemark.core.config;

import io.tidemark.core.runtime.Invariant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The values of the keys of one {@link ConfigDef}. Immutable. */
final class Config {
    private final Map<ConfigKey<?>, Object> given;

    Config(Map<ConfigKey<?>, Object> given) {
        this.given = new HashMap<>(given);
    }

    /** The value that was given, or the key's default. */
    <T> T value(ConfigKey<T> key) {
        Optional<T> value = given(key);
        if (value.isPresent()) {
            return value.get();
        }
        Invariant.check(key.defaultText().isPresent(), () -> "no value and no default: " + key);
        return key.parse(key.defaultText().orElseThrow());
    }

    /** The value that was given; empty if there was none, whatever the default. */
    @SuppressWarnings("unchecked") // each value was made by the parser of its key
    <T> Optional<T> given(ConfigKey<T> key) {
        @Nullable Object value = given.get(key);
        return Optional.ofNullable((T) value);
    }
}
