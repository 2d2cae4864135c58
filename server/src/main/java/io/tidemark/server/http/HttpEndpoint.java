package io.tidemark.server.http;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.tidemark.model.Endpoint;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.SortedMap;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The HTTP port, loopback unless configured otherwise: serves pages that are given to it, GET and HEAD only. What pages there
 * are stands in {@link Pages}.
 *
 * <p>It has threads of its own and few of them; a scraper that is slow holds up other scrapers, and nothing else, and for so
 * long only as a request and its answer may take.
 */
public final class HttpEndpoint implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(HttpEndpoint.class);
    private static final String CONTENT_SECURITY =
            "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'";
    private static final int THREADS = 2;
    private static final int MAX_WAITING = 64;
    /** Of a request's arrival: a few lines. */
    private static final String REQUEST_SECONDS = "5";

    private static final String ANSWER_SECONDS = "30";

    static {
        // The JDK's server reads its limits from the environment alone, when it is first used; it has none by itself,
        // and
        // two requests that are half sent would hold all threads for ever.
        limit("sun.net.httpserver.maxReqTime", REQUEST_SECONDS);
        limit("sun.net.httpserver.maxRspTime", ANSWER_SECONDS);
    }

    private final HttpServer server;
    private final ExecutorService threads;

    private HttpEndpoint(HttpServer server, ExecutorService threads) {
        this.server = server;
        this.threads = threads;
    }

    /**
     * Binds and serves; port 0 takes a free one. An address that cannot be bound is named in the exception.
     *
     * @param pages by path
     */
    public static HttpEndpoint start(Endpoint address, SortedMap<String, PageSource> pages) throws IOException {
        HttpServer server;
        try {
            server = HttpServer.create(new InetSocketAddress(address.host(), address.port()), 0);
        } catch (IOException | RuntimeException e) {
            throw new IOException("cannot listen for http on " + address + ": " + e.getMessage(), e);
        }
        ExecutorService threads = threads();
        server.setExecutor(threads);
        server.createContext("/", exchange -> answer(exchange, pages));
        server.start();
        return new HttpEndpoint(server, threads);
    }

    /** An operator's own word counts. */
    private static void limit(String property, String seconds) {
        if (System.getProperty(property) == null) {
            System.setProperty(property, seconds);
        }
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

    private static void answer(HttpExchange exchange, SortedMap<String, PageSource> pages) throws IOException {
        try (exchange) {
            String method = exchange.getRequestMethod();
            PageSource source = pages.get(exchange.getRequestURI().getPath());
            if (source == null) {
                send(exchange, Page.text(404, "no such page; there are " + String.join(" ", pages.keySet()) + "\n"));
            } else if (!method.equals("GET") && !method.equals("HEAD")) {
                exchange.getResponseHeaders().set("Allow", "GET, HEAD");
                send(exchange, Page.text(405, "GET and HEAD only\n"));
            } else {
                send(exchange, page(source, exchange.getRequestURI().getRawQuery()));
            }
        }
    }

    private static Page page(PageSource source, @Nullable String rawQuery) {
        Query query;
        try {
            query = Query.of(rawQuery);
        } catch (IllegalArgumentException e) {
            return Page.text(400, "cannot read the query: " + e.getMessage() + "\n");
        }
        try {
            return source.page(query);
        } catch (RuntimeException e) {
            LOG.error("a page failed", e);
            return Page.text(500, "the page failed; the log says why\n");
        }
    }

    private static void send(HttpExchange exchange, Page page) throws IOException {
        byte[] body = page.body().getBytes(StandardCharsets.UTF_8);
        Headers headers = exchange.getResponseHeaders();
        headers.set("Content-Type", page.contentType());
        headers.set("Cache-Control", "no-store");
        headers.set("X-Content-Type-Options", "nosniff");
        headers.set("Content-Security-Policy", CONTENT_SECURITY);
        if (exchange.getRequestMethod().equals("HEAD")) {
            exchange.sendResponseHeaders(page.status(), -1);
        } else {
            // A length of 0 would mean an unknown one.
            exchange.sendResponseHeaders(page.status(), body.length == 0 ? -1 : body.length);
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
