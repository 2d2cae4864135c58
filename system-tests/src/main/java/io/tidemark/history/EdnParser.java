package io.tidemark.history;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Reads one value of EDN from one line: nil, booleans, whole numbers of 64 bits, strings, keywords, symbols, vectors,
 * lists, maps, sets and tagged values, with commas as blanks and comments from {@code ;} on. Characters and the discard
 * mark are refused. Numbers that are not whole are kept as text. Depth is bounded, length by whoever cuts the lines.
 */
final class EdnParser {
    private static final int MAX_DEPTH = 64;
    private static final String ENDS_TOKEN = "()[]{}\";,";
    private static final Pattern WHOLE = Pattern.compile("[+-]?\\d+N?");
    private static final Pattern BROKEN = Pattern.compile("[+-]?\\d+(\\.\\d*)?([eE][+-]?\\d+)?M?");
    private static final Pattern RATIO = Pattern.compile("[+-]?\\d+/\\d+");

    private final String text;
    private int at;

    private EdnParser(String text) {
        this.text = text;
    }

    /** The one value of a line, or none if it is blank or a comment. */
    static Optional<Edn> parse(String text) throws EdnException {
        EdnParser parser = new EdnParser(text);
        parser.skipBlanks();
        if (parser.isAtEnd()) {
            return Optional.empty();
        }
        Edn value = parser.value(0);
        parser.skipBlanks();
        if (!parser.isAtEnd()) {
            throw parser.flaw("more than one value on the line");
        }
        return Optional.of(value);
    }

    private Edn value(int depth) throws EdnException {
        if (depth > MAX_DEPTH) {
            throw flaw("nested more than " + MAX_DEPTH + " deep");
        }
        skipBlanks();
        if (isAtEnd()) {
            throw flaw("the line ends where a value is due");
        }
        char c = text.charAt(at);
        return switch (c) {
            case '[' -> sequence(Edn.Bracket.VECTOR, 1, ']', depth);
            case '(' -> sequence(Edn.Bracket.LIST, 1, ')', depth);
            case '{' -> table(depth);
            case '"' -> string();
            case '#' -> dispatch(depth);
            case ']', ')', '}' -> throw flaw("'" + c + "' closes nothing");
            case '\\' -> throw flaw("characters are not supported");
            default -> token();
        };
    }

    private Edn sequence(Edn.Bracket bracket, int openLength, char close, int depth) throws EdnException {
        int opened = at;
        at += openLength;
        List<Edn> items = new ArrayList<>();
        while (!closes(close, opened)) {
            items.add(value(depth + 1));
        }
        return new Edn.Sequence(bracket, items);
    }

    private Edn table(int depth) throws EdnException {
        int opened = at++;
        Map<Edn, Edn> entries = new LinkedHashMap<>();
        while (!closes('}', opened)) {
            int keyAt = at;
            Edn key = value(depth + 1);
            if (closes('}', opened)) {
                at = keyAt;
                throw flaw("a map's key without a value");
            }
            if (entries.put(key, value(depth + 1)) != null) {
                at = keyAt;
                throw flaw("a map with the key " + key.print() + " twice");
            }
        }
        return new Edn.Table(entries);
    }

    /** Whether the next thing is {@code close}, which is then passed. */
    private boolean closes(char close, int opened) throws EdnException {
        skipBlanks();
        if (isAtEnd()) {
            at = opened;
            throw flaw("'" + text.charAt(opened) + "' is not closed");
        }
        if (text.charAt(at) != close) {
            return false;
        }
        at++;
        return true;
    }

    private Edn dispatch(int depth) throws EdnException {
        char next = at + 1 < text.length() ? text.charAt(at + 1) : ' ';
        if (next == '{') {
            return sequence(Edn.Bracket.SET, 2, '}', depth);
        }
        if (!Character.isLetter(next)) {
            throw flaw("'#" + next + "' is not supported");
        }
        at++;
        String tag = rawToken();
        return new Edn.Tagged(tag, value(depth + 1));
    }

    private Edn string() throws EdnException {
        int opened = at++;
        StringBuilder out = new StringBuilder();
        while (!isAtEnd()) {
            char c = text.charAt(at++);
            if (c == '"') {
                return new Edn.Text(out.toString());
            }
            out.append(c == '\\' ? escaped() : c);
        }
        at = opened;
        throw flaw("a string without an end");
    }

    private char escaped() throws EdnException {
        char c = isAtEnd() ? ' ' : text.charAt(at++);
        return switch (c) {
            case '"', '\\' -> c;
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'u' -> unicode();
            default -> {
                at--;
                throw flaw("an unknown escape in a string");
            }
        };
    }

    private char unicode() throws EdnException {
        int value = 0;
        for (int i = 0; i < 4; i++) {
            int digit = isAtEnd() ? -1 : Character.digit(text.charAt(at), 16);
            if (digit < 0) {
                throw flaw("four hexadecimal digits are due");
            }
            value = value * 16 + digit;
            at++;
        }
        return (char) value;
    }

    private Edn token() throws EdnException {
        int begun = at;
        String token = rawToken();
        if (token.startsWith(":")) {
            if (token.length() == 1) {
                at = begun;
                throw flaw("a keyword without a name");
            }
            return new Edn.Name(token.substring(1));
        }
        return switch (token) {
            case "nil" -> new Edn.Nil();
            case "true" -> new Edn.Bool(true);
            case "false" -> new Edn.Bool(false);
            default -> numberOrSymbol(token, begun);
        };
    }

    private Edn numberOrSymbol(String token, int begun) throws EdnException {
        char first = token.charAt(0);
        boolean isSigned = (first == '-' || first == '+') && token.length() > 1;
        if (!Character.isDigit(isSigned ? token.charAt(1) : first)) {
            return new Edn.Symbol(token);
        }
        if (WHOLE.matcher(token).matches()) {
            return new Edn.Int(whole(token, begun));
        }
        if (BROKEN.matcher(token).matches() || RATIO.matcher(token).matches()) {
            return new Edn.Symbol(token);
        }
        at = begun;
        throw flaw("not a number: " + token);
    }

    private long whole(String token, int begun) throws EdnException {
        String digits = token.endsWith("N") ? token.substring(0, token.length() - 1) : token;
        try {
            return Long.parseLong(digits);
        } catch (NumberFormatException e) {
            at = begun;
            EdnException flaw = flaw("a number beyond 64 bits: " + token);
            flaw.initCause(e);
            throw flaw;
        }
    }

    private String rawToken() {
        int begun = at;
        while (!isAtEnd() && !Character.isWhitespace(text.charAt(at)) && ENDS_TOKEN.indexOf(text.charAt(at)) < 0) {
            at++;
        }
        return text.substring(begun, at);
    }

    private void skipBlanks() {
        while (!isAtEnd()) {
            char c = text.charAt(at);
            if (c == ';') {
                at = text.length();
            } else if (c == ',' || Character.isWhitespace(c)) {
                at++;
            } else {
                return;
            }
        }
    }

    private boolean isAtEnd() {
        return at >= text.length();
    }

    private EdnException flaw(String message) {
        return new EdnException(at + 1, message);
    }
}
