package io.tidemark.history;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The part of the EDN notation that histories use. Values are immutable and compare by content; {@link #print()} gives
 * the canonical form: single blanks between elements, {@code ", "} between entries.
 */
sealed interface Edn {
    String print();

    /** {@code nil}. */
    record Nil() implements Edn {
        @Override
        public String print() {
            return "nil";
        }
    }

    /** {@code true} or {@code false}. */
    record Bool(boolean value) implements Edn {
        @Override
        public String print() {
            return Boolean.toString(value);
        }
    }

    /** A whole number that fits 64 bits. */
    record Int(long value) implements Edn {
        @Override
        public String print() {
            return Long.toString(value);
        }
    }

    /** A string. */
    record Text(String value) implements Edn {
        @Override
        public String print() {
            return quoted(value);
        }
    }

    /** A keyword, without its colon. */
    record Name(String value) implements Edn {
        @Override
        public String print() {
            return ":" + value;
        }
    }

    /** A symbol, or a number that is not whole: text that means nothing here and is passed on. */
    record Symbol(String text) implements Edn {
        @Override
        public String print() {
            return text;
        }
    }

    /** Values in a row. */
    record Sequence(Bracket bracket, List<Edn> items) implements Edn {
        public Sequence {
            items = List.copyOf(items);
        }

        @Override
        public String print() {
            return items.stream().map(Edn::print).collect(Collectors.joining(" ", bracket.open, bracket.close));
        }
    }

    /** A map in the order of its entries. */
    record Table(Map<Edn, Edn> entries) implements Edn {
        public Table {
            entries = Collections.unmodifiableMap(new LinkedHashMap<>(entries));
        }

        @Override
        public String print() {
            return entries.entrySet().stream()
                    .map(entry -> entry.getKey().print() + " " + entry.getValue().print())
                    .collect(Collectors.joining(", ", "{", "}"));
        }
    }

    /** A value with a tag before it, {@code #tag value}. */
    record Tagged(String tag, Edn value) implements Edn {
        @Override
        public String print() {
            return "#" + tag + " " + value.print();
        }
    }

    /** What values in a row stand between. */
    enum Bracket {
        VECTOR("[", "]"),
        LIST("(", ")"),
        SET("#{", "}");

        private final String open;
        private final String close;

        Bracket(String open, String close) {
            this.open = open;
            this.close = close;
        }
    }

    static Edn vector(List<? extends Edn> items) {
        return new Sequence(Bracket.VECTOR, new ArrayList<>(items));
    }

    static Edn numbers(List<Integer> numbers) {
        return vector(numbers.stream().map(number -> new Int(number)).toList());
    }

    static Edn texts(List<String> texts) {
        return vector(texts.stream().map(Text::new).toList());
    }

    /** The canonical form of a text that holds just one value. */
    static String canonical(String text) {
        try {
            return EdnParser.parse(text)
                    .orElseThrow(() -> new IllegalArgumentException("holds no value: " + text))
                    .print();
        } catch (EdnException e) {
            throw new IllegalArgumentException("not EDN: " + text, e);
        }
    }

    private static String quoted(String text) {
        StringBuilder out = new StringBuilder(text.length() + 2).append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '"' -> out.append("\\\"");
                case '\\' -> out.append("\\\\");
                case '\n' -> out.append("\\n");
                case '\r' -> out.append("\\r");
                case '\t' -> out.append("\\t");
                default -> {
                    if (c < ' ') {
                        out.append(String.format("\\u%04x", (int) c));
                    } else {
                        out.append(c);
                    }
                }
            }
        }
        return out.append('"').toString();
    }
}
