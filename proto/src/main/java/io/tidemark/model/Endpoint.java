package io.tidemark.model;

/** A host name or address and a port in [0, 65535]. */
public record Endpoint(String host, int port) {
    public Endpoint {
        if (host.isEmpty() || port < 0 || port > 65_535) {
            throw new IllegalArgumentException("not an endpoint: " + host + ":" + port);
        }
    }

    /** Reads {@code host:port} or {@code [v6]:port}; throws {@link IllegalArgumentException} that quotes the text. */
    public static Endpoint parse(String text) {
        int colon = text.lastIndexOf(':');
        String host = colon < 0 ? "" : text.substring(0, colon);
        boolean bracketed = host.startsWith("[") && host.endsWith("]");
        if (host.isEmpty() || (!bracketed && host.contains(":"))) {
            throw new IllegalArgumentException("expected host:port, not \"" + text + "\"");
        }
        try {
            String bare = bracketed ? host.substring(1, host.length() - 1) : host;
            return new Endpoint(bare, Integer.parseInt(text.substring(colon + 1)));
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("expected host:port, not \"" + text + "\"", e);
        }
    }

    @Override
    public String toString() {
        return host.contains(":") ? "[" + host + "]:" + port : host + ":" + port;
    }
}
