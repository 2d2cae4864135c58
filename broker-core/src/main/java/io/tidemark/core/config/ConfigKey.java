package io.tidemark.core.config;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A setting: its name, what its text means, and its default. Immutable.
 *
 * <p>A default is given as text and read like any other value, so that the documentation and the code cannot differ.
 *
 * @param <T> what the text is turned into
 */
public final class ConfigKey<T> {
    /** About 290 years. */
    static final long LONGEST_AGE_MS = 9_000_000_000_000L;

    private final String name;
    private final String type;
    private final Function<String, T> parser;
    private final Presence presence;
    private final @Nullable String defaultText;
    private final String doc;

    /** Whether a value must be given. */
    enum Presence {
        REQUIRED,
        OPTIONAL,
        /** Optional, and left out of documentation and suggestions. */
        HIDDEN
    }

    private ConfigKey(
            String name,
            String type,
            Function<String, T> parser,
            Presence presence,
            @Nullable String defaultText,
            String doc) {
        this.name = name;
        this.type = type;
        this.parser = parser;
        this.presence = presence;
        this.defaultText = defaultText;
        this.doc = doc;
    }

    /**
     * A key of any type.
     *
     * @param type what a value looks like, for a person
     * @param parser throws {@link IllegalArgumentException} with a message that says what is expected
     */
    static <T> ConfigKey<T> of(String name, String type, Function<String, T> parser) {
        return new ConfigKey<>(name, type, parser, Presence.REQUIRED, null, "");
    }

    static ConfigKey<Integer> integer(String name, int min, int max) {
        return of(name, range("integer", min, max), text -> (int) number(text, min, max));
    }

    static ConfigKey<Long> longInteger(String name, long min, long max) {
        return of(name, range("integer", min, max), text -> number(text, min, max));
    }

    /** A duration in milliseconds; the name ends in {@code .ms}. */
    static ConfigKey<Duration> millis(String name, long min) {
        return of(
                name,
                range("milliseconds", min, Integer.MAX_VALUE),
                text -> Duration.ofMillis(number(text, min, Integer.MAX_VALUE)));
    }

    /** As {@link #millis}, where an empty text means never. */
    static ConfigKey<Optional<Duration>> optionalMillis(String name, long min) {
        return of(
                name,
                range("milliseconds", min, Integer.MAX_VALUE) + " or empty",
                text -> text.isEmpty()
                        ? Optional.empty()
                        : Optional.of(Duration.ofMillis(number(text, min, Integer.MAX_VALUE))));
    }

    /** How old something may become, in milliseconds: any time that counts in nanoseconds too. */
    static ConfigKey<Duration> age(String name, long min) {
        return of(
                name,
                range("milliseconds", min, LONGEST_AGE_MS),
                text -> Duration.ofMillis(number(text, min, LONGEST_AGE_MS)));
    }

    /** A number from 0 to 1. */
    static ConfigKey<Double> ratio(String name) {
        return of(name, "number from 0 to 1", text -> {
            double ratio = Double.parseDouble(text);
            if (ratio >= 0 && ratio <= 1) {
                return ratio;
            }
            throw new IllegalArgumentException("expected a number from 0 to 1");
        });
    }

    static ConfigKey<Boolean> bool(String name) {
        return of(name, "true or false", text -> {
            if (text.equals("true") || text.equals("false")) {
                return text.equals("true");
            }
            throw new IllegalArgumentException("expected true or false");
        });
    }

    static ConfigKey<String> string(String name) {
        return of(name, "text", text -> text);
    }

    /** Texts separated by commas: at least one, none empty, no two equal. */
    static ConfigKey<List<String>> list(String name) {
        return of(name, "list, separated by commas", text -> {
            List<String> items =
                    Arrays.stream(text.split(",", -1)).map(String::trim).toList();
            if (items.contains("") || items.stream().distinct().count() < items.size()) {
                throw new IllegalArgumentException("expected different texts separated by commas");
            }
            return items;
        });
    }

    /** A constant, in lower case with dashes. */
    static <E extends Enum<E>> ConfigKey<E> oneOf(String name, Class<E> constants) {
        List<E> all = Arrays.asList(constants.getEnumConstants());
        String type = all.stream().map(ConfigKey::constantText).collect(Collectors.joining(" or "));
        return of(
                name,
                type,
                text -> all.stream()
                        .filter(constant -> constantText(constant).equals(text))
                        .findFirst()
                        .orElseThrow(() -> new IllegalArgumentException("expected " + type)));
    }

    ConfigKey<T> withDefault(String text) {
        return new ConfigKey<>(name, type, parser, Presence.OPTIONAL, text, doc);
    }

    /** A key that need not be given and has no value of its own when it is not. */
    ConfigKey<T> withoutDefault() {
        return new ConfigKey<>(name, type, parser, Presence.OPTIONAL, null, doc);
    }

    ConfigKey<T> hidden() {
        return new ConfigKey<>(name, type, parser, Presence.HIDDEN, defaultText, doc);
    }

    ConfigKey<T> doc(String text) {
        return new ConfigKey<>(name, type, parser, presence, defaultText, text);
    }

    /** The name in a file. */
    public String name() {
        return name;
    }

    /** What a value looks like, for a person. */
    public String type() {
        return type;
    }

    /** One or two sentences for an operator. */
    public String doc() {
        return doc;
    }

    /** The default as it would stand in a file; empty if there is none. */
    public Optional<String> defaultText() {
        return Optional.ofNullable(defaultText);
    }

    /** Whether a value must be given. */
    public boolean isRequired() {
        return presence == Presence.REQUIRED;
    }

    /** Whether documentation and suggestions leave the key out. */
    public boolean isHidden() {
        return presence == Presence.HIDDEN;
    }

    /** Reads a value; throws {@link IllegalArgumentException} with a message that says what is expected. */
    T parse(String text) {
        return parser.apply(text.trim());
    }

    @Override
    public String toString() {
        return name;
    }

    private static String constantText(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private static String range(String type, long min, long max) {
        boolean open = max == Integer.MAX_VALUE || max == Long.MAX_VALUE;
        return type + (open ? ", at least " + min : " from " + min + " to " + max);
    }

    private static long number(String text, long min, long max) {
        long value;
        try {
            value = Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("expected an " + range("integer", min, max), e);
        }
        if (value < min || value > max) {
            throw new IllegalArgumentException("expected an " + range("integer", min, max));
        }
        return value;
    }
}
