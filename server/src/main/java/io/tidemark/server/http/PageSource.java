package io.tidemark.server.http;

/** Makes a page on each request, on one of the HTTP port's threads; from memory, without waiting for others. */
@FunctionalInterface
public interface PageSource {
    Page page(Query query);
}
