package io.tidemark.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.Counter;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.tidemark.model.Endpoint;
import java.io.IOException;
import java.net.ProxySelector;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class HttpEndpointIT {
    private static final Endpoint ANY_PORT = new Endpoint("127.0.0.1", 0);

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final AtomicReference<Optional<String>> missing = new AtomicReference<>(Optional.of("not registered"));
    private final HttpClient client =
            HttpClient.newBuilder().proxy(ProxySelector.of(null)).build();
    private HttpEndpoint endpoint;

    @BeforeEach
    void start() throws IOException {
        endpoint = HttpEndpoint.start(ANY_PORT, registry, missing::get);
    }

    @AfterEach
    void stop() {
        endpoint.close();
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
                    .contains("process_files_open_files");
        }
    }

    @Test
    void shouldBeHealthyWhateverIsMissing() throws Exception {
        assertThat(send("GET", "/healthz").statusCode()).isEqualTo(200);
    }

    @Test
    void shouldSayWhatIsMissingUntilReady() throws Exception {
        // when
        HttpResponse<String> notYet = send("GET", "/readyz?verbose");

        // then
        assertThat(notYet.statusCode()).isEqualTo(503);
        assertThat(notYet.body()).contains("not registered");
        missing.set(Optional.empty());
        assertThat(send("GET", "/readyz").statusCode()).isEqualTo(200);
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
        assertThat(send("GET", "/").statusCode()).isEqualTo(404);
        assertThat(send("GET", "/metrics/everything").statusCode()).isEqualTo(404);
    }

    @Test
    void shouldNameAnAddressThatCannotBeBound() {
        Endpoint taken = new Endpoint("127.0.0.1", endpoint.port());
        assertThatThrownBy(() -> HttpEndpoint.start(taken, registry, missing::get))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(taken.toString());
    }
}
