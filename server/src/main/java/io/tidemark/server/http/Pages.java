package io.tidemark.server.http;

import io.tidemark.server.status.BrokerState;
import io.tidemark.server.status.StatusHtml;
import io.tidemark.server.status.StatusJson;
import io.tidemark.server.status.StatusReport;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The pages of a broker, none of which changes anything.
 *
 * <pre>
 *   /                      the status page; ?format=json gives the same as JSON
 *   /status.json           the status as JSON
 *   /metrics               what Prometheus scrapes; no series for a partition
 *   /metrics/detail?topic= series for each partition of one topic that this broker has a replica of
 *   /healthz               200 while the process lives: depends on nothing else, so that no outage restarts a fleet (KAFKA-14887)
 *   /readyz                200 when {@link Readiness} misses nothing, else 503 with what is missing; ?verbose gives JSON
 *   /favicon.ico           nothing, without an error
 * </pre>
 */
public final class Pages {
    private Pages() {}

    /**
     * What the pages are made of; all of it thread-safe and from memory.
     *
     * @param metrics samples of all meters, in Prometheus' text format
     * @param detail samples for each partition of a topic; empty if there is no such topic here
     */
    public record Sources(
            Supplier<StatusReport> status,
            Supplier<String> metrics,
            Function<String, Optional<String>> detail,
            Readiness readiness,
            Supplier<BrokerState> state) {}

    /** All pages, by path. */
    public static SortedMap<String, PageSource> of(Sources sources) {
        SortedMap<String, PageSource> pages = new TreeMap<>();
        pages.put("/", query -> status(sources, query));
        pages.put(
                "/status.json",
                query -> Page.json(200, StatusJson.of(sources.status().get())));
        pages.put("/metrics", query -> Page.metrics(sources.metrics().get()));
        pages.put("/metrics/detail", query -> detail(sources, query));
        pages.put("/healthz", query -> Page.text(200, "alive\n"));
        pages.put("/readyz", query -> ready(sources, query));
        pages.put("/favicon.ico", query -> Page.text(204, ""));
        return Collections.unmodifiableSortedMap(pages);
    }

    private static Page status(Sources sources, Query query) {
        StatusReport report = sources.status().get();
        String format = query.value("format").orElse("html");
        return switch (format) {
            case "html" -> Page.html(StatusHtml.of(report));
            case "json" -> Page.json(200, StatusJson.of(report));
            default -> Page.text(400, "format is html or json\n");
        };
    }

    private static Page detail(Sources sources, Query query) {
        Optional<String> topic = query.value("topic").filter(name -> !name.isEmpty());
        if (topic.isEmpty()) {
            return Page.text(400, "which topic? /metrics/detail?topic=NAME\n");
        }
        return topic.flatMap(sources.detail())
                .map(Page::metrics)
                .orElseGet(() -> Page.text(404, "this broker has no replica of that topic\n"));
    }

    private static Page ready(Sources sources, Query query) {
        List<String> missing = sources.readiness().missing();
        int status = missing.isEmpty() ? 200 : 503;
        if (query.has("verbose")) {
            return Page.json(status, StatusJson.readiness(sources.state().get(), missing));
        }
        return Page.text(status, missing.isEmpty() ? "ready\n" : "not ready: " + String.join("; ", missing) + "\n");
    }
}
