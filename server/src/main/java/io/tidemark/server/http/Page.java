package io.tidemark.server.http;

/** One answer of the HTTP port. */
public record Page(int status, String contentType, String body) {
    /** Plain text. */
    public static final String TEXT = "text/plain; charset=utf-8";

    private static final String PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8";

    public static Page text(int status, String body) {
        return new Page(status, TEXT, body);
    }

    public static Page json(int status, String body) {
        return new Page(status, "application/json", body);
    }

    public static Page html(String body) {
        return new Page(200, "text/html; charset=utf-8", body);
    }

    /** Samples in Prometheus' text format. */
    public static Page metrics(String body) {
        return new Page(200, PROMETHEUS, body);
    }
}
