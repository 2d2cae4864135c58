package io.tidemark.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.Counter;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.tidemark.model.Endpoint;
import io.tidemark.server.metadata.ClusterView;
import io.tidemark.server.status.BrokerState;
import io.tidemark.server.status.StatusReport;
import io.tidemark.server.status.Troubles;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ProxySelector;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class HttpEndpointIT {
    private static final Endpoint ANY_PORT = new Endpoint("127.0.0.1", 0);

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final AtomicReference<List<String>> missing = new AtomicReference<>(List.of("not registered", "not told"));
    private final AtomicReference<Supplier<StatusReport>> status = new AtomicReference<>(HttpEndpointIT::report);
    private final HttpClient client =
            HttpClient.newBuilder().proxy(ProxySelector.of(null)).build();
    private HttpEndpoint endpoint;

    @BeforeEach
    void start() throws IOException {
        endpoint = HttpEndpoint.start(ANY_PORT, pages());
    }

    @AfterEach
    void stop() {
        endpoint.close();
    }

    private SortedMap<String, PageSource> pages() {
        return Pages.of(new Pages.Sources(
                () -> status.get().get(),
                registry::scrape,
                topic -> topic.equals("orders") ? Optional.of("tidemark_partition_leader 1\n") : Optional.empty(),
                missing::get,
                () -> BrokerState.STARTING));
    }

    private static StatusReport report() {
        return new StatusReport(
                0,
                new StatusReport.Self(4, -1, "c", "v", BrokerState.STARTING, "SUSPENDED", List.of(), 0, 0, 0),
                new StatusReport.Told(-1, -1, -1),
                new TreeMap<>(),
                Troubles.of(ClusterView.EMPTY),
                List.of(),
                null);
    }

    private HttpResponse<String> send(String method, String path) throws Exception {
        URI uri = URI.create("http://127.0.0.1:" + endpoint.port() + path);
        HttpRequest request = HttpRequest.newBuilder(uri)
                .method(method, HttpRequest.BodyPublishers.noBody())
                .build();
        return client.send(request, HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void shouldShowMetersToPrometheus() throws Exception {
        // given
        Counter.builder("tidemark.test").register(registry).increment();
        try (JvmMeters jvm = new JvmMeters(registry)) {
            // when
            HttpResponse<String> response = send("GET", "/metrics");

            // then
            assertThat(jvm).isNotNull();
            assertThat(response.statusCode()).isEqualTo(200);
            assertThat(response.headers().firstValue("Content-Type"))
                    .hasValueSatisfying(type -> assertThat(type).startsWith("text/plain; version=0.0.4"));
            assertThat(response.body())
                    .contains("tidemark_test_total 1.0")
                    .contains("jvm_memory_used_bytes")
                    .contains("process_open_fds");
        }
    }

    @Test
    void shouldBeHealthyWhateverIsMissing() throws Exception {
        assertThat(send("GET", "/healthz").statusCode()).isEqualTo(200);
    }

    @Test
    void shouldSayWhatIsMissingUntilReady() throws Exception {
        // when
        HttpResponse<String> notYet = send("GET", "/readyz");
        HttpResponse<String> verbose = send("GET", "/readyz?verbose");

        // then
        assertThat(notYet.statusCode()).isEqualTo(503);
        assertThat(notYet.body()).isEqualTo("not ready: not registered; not told\n");
        assertThat(verbose.statusCode()).isEqualTo(503);
        assertThat(verbose.body())
                .isEqualTo("{\"ready\":false,\"state\":\"STARTING\",\"missing\":[\"not registered\",\"not told\"]}\n");
        missing.set(List.of());
        assertThat(send("GET", "/readyz").statusCode()).isEqualTo(200);
        assertThat(send("GET", "/readyz?verbose").body()).contains("\"ready\":true");
    }

    @Test
    void shouldShowTheStatusToPeopleAndPrograms() throws Exception {
        // when
        HttpResponse<String> html = send("GET", "/");
        HttpResponse<String> json = send("GET", "/status.json");

        // then
        assertThat(html.statusCode()).isEqualTo(200);
        assertThat(html.headers().firstValue("Content-Type")).contains("text/html; charset=utf-8");
        assertThat(html.headers().firstValue("Content-Security-Policy"))
                .hasValueSatisfying(policy -> assertThat(policy).contains("default-src 'none'"));
        assertThat(html.body()).startsWith("<!DOCTYPE html>").contains("Tidemark broker 4");
        assertThat(json.headers().firstValue("Content-Type")).contains("application/json");
        assertThat(json.body()).startsWith("{\"atMs\":0,\"broker\":{\"id\":4,");
        assertThat(send("GET", "/?format=json").body()).isEqualTo(json.body());
        assertThat(send("GET", "/?format=xml").statusCode()).isEqualTo(400);
        assertThat(send("GET", "/favicon.ico").statusCode()).isEqualTo(204);
    }

    @Test
    void shouldShowPartitionsOfOneTopicOnRequest() throws Exception {
        assertThat(send("GET", "/metrics/detail?topic=orders").body()).isEqualTo("tidemark_partition_leader 1\n");
        assertThat(send("GET", "/metrics/detail?topic=other").statusCode()).isEqualTo(404);
        assertThat(send("GET", "/metrics/detail").statusCode()).isEqualTo(400);
    }

    @Test
    void shouldLiveOnWhenAPageFails() throws Exception {
        status.set(() -> {
            throw new IllegalStateException("planted");
        });
        assertThat(send("GET", "/").statusCode()).isEqualTo(500);
        assertThat(send("GET", "/healthz").statusCode()).isEqualTo(200);
    }

    @Test
    void shouldOnlyBeRead() throws Exception {
        assertThat(send("POST", "/healthz").statusCode()).isEqualTo(405);
        HttpResponse<String> head = send("HEAD", "/healthz");
        assertThat(head.statusCode()).isEqualTo(200);
        assertThat(head.body()).isEmpty();
    }

    @Test
    void shouldKnowNoOtherPages() throws Exception {
        assertThat(send("GET", "/other").statusCode()).isEqualTo(404);
        assertThat(send("POST", "/").statusCode()).isEqualTo(405);
        assertThat(send("GET", "/metrics/everything").statusCode()).isEqualTo(404);
    }

    @Test
    void shouldNameAnAddressThatCannotBeBound() {
        Endpoint taken = new Endpoint("127.0.0.1", endpoint.port());
        assertThatThrownBy(() -> HttpEndpoint.start(taken, pages()))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(taken.toString());
    }

    // Fails if: a request may arrive for as long as it likes.
    @Test
    void shouldServeOthersBesideRequestsThatAreHalfSent() throws Exception {
        // given more of them than there are threads
        List<Socket> halfSent = new ArrayList<>();
        try {
            for (int i = 0; i < 3; i++) {
                Socket socket = new Socket(InetAddress.getLoopbackAddress(), endpoint.port());
                halfSent.add(socket);
                socket.getOutputStream().write("GET /healthz HTTP/1.1\r\nHost: a".getBytes(StandardCharsets.US_ASCII));
                socket.getOutputStream().flush();
            }

            // when
            HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + endpoint.port() + "/healthz"))
                    .timeout(Duration.ofSeconds(20))
                    .build();

            // then
            assertThat(client.send(request, HttpResponse.BodyHandlers.ofString())
                            .statusCode())
                    .isEqualTo(200);
        } finally {
            for (Socket socket : halfSent) {
                socket.close();
            }
        }
    }
}
