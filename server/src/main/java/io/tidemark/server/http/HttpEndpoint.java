package io.tidemark.server.http;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.tidemark.model.Endpoint;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The HTTP port, loopback unless configured otherwise; GET and HEAD only.
 *
 * <pre>
 *   /metrics   what Prometheus scrapes
 *   /healthz   200 while the process lives: depends on nothing else, so that no outage restarts a fleet (KAFKA-14887)
 *   /readyz    200 when {@link Readiness} misses nothing, else 503 with what is missing
 * </pre>
 *
 * <p>It has threads of its own and few of them; a scraper that is slow holds up other scrapers, and nothing else.
 */
public final class HttpEndpoint implements AutoCloseable {
    private static final int THREADS = 2;
    private static final int MAX_WAITING = 64;
    private static final String TEXT = "text/plain; charset=utf-8";
    private static final String PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8";

    private final HttpServer server;
    private final ExecutorService threads;

    private record Page(int status, String contentType, String body) {}

    @FunctionalInterface
    private interface Source {
        Page page();
    }

    private HttpEndpoint(HttpServer server, ExecutorService threads) {
        this.server = server;
        this.threads = threads;
    }

    /** Binds and serves; port 0 takes a free one. An address that cannot be bound is named in the exception. */
    public static HttpEndpoint start(Endpoint address, PrometheusMeterRegistry registry, Readiness readiness)
            throws IOException {
        HttpServer server;
        try {
            server = HttpServer.create(new InetSocketAddress(address.host(), address.port()), 0);
        } catch (IOException | RuntimeException e) {
            throw new IOException("cannot listen for http on " + address + ": " + e.getMessage(), e);
        }
        ExecutorService threads = threads();
        server.setExecutor(threads);
        server.createContext("/metrics", only("/metrics", () -> new Page(200, PROMETHEUS, registry.scrape())));
        server.createContext("/healthz", only("/healthz", () -> new Page(200, TEXT, "alive\n")));
        server.createContext("/readyz", only("/readyz", () -> ready(readiness)));
        server.start();
        return new HttpEndpoint(server, threads);
    }

    public int port() {
        return server.getAddress().getPort();
    }

    /** Stops at once. */
    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }

    private static Page ready(Readiness readiness) {
        return readiness
                .missing()
                .map(reason -> new Page(503, TEXT, "not ready: " + reason + "\n"))
                .orElseGet(() -> new Page(200, TEXT, "ready\n"));
    }

    /** Contexts match by prefix; a page has one path. */
    private static HttpHandler only(String path, Source source) {
        return exchange -> {
            try (exchange) {
                boolean read = exchange.getRequestMethod().equals("GET")
                        || exchange.getRequestMethod().equals("HEAD");
                if (!exchange.getRequestURI().getPath().equals(path)) {
                    send(exchange, new Page(404, TEXT, "no such page\n"));
                } else if (!read) {
                    exchange.getResponseHeaders().set("Allow", "GET, HEAD");
                    send(exchange, new Page(405, TEXT, "GET and HEAD only\n"));
                } else {
                    send(exchange, source.page());
                }
            }
        };
    }

    private static void send(HttpExchange exchange, Page page) throws IOException {
        byte[] body = page.body().getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", page.contentType());
        if (exchange.getRequestMethod().equals("HEAD")) {
            exchange.sendResponseHeaders(page.status(), -1);
        } else {
            exchange.sendResponseHeaders(page.status(), body.length);
            exchange.getResponseBody().write(body);
        }
    }

    private static ExecutorService threads() {
        AtomicInteger number = new AtomicInteger();
        ThreadPoolExecutor pool = new ThreadPoolExecutor(
                THREADS,
                THREADS,
                60,
                TimeUnit.SECONDS,
                new ArrayBlockingQueue<>(MAX_WAITING),
                task -> {
                    Thread thread = new Thread(task, "http-" + number.incrementAndGet());
                    thread.setDaemon(true);
                    return thread;
                },
                new ThreadPoolExecutor.CallerRunsPolicy());
        pool.allowCoreThreadTimeOut(true);
        return pool;
    }
}
