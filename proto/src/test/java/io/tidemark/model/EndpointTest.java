package io.tidemark.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class EndpointTest {
    @Test
    void shouldParseHostAndPort() {
        assertThat(Endpoint.parse("broker-1.example:9092")).isEqualTo(new Endpoint("broker-1.example", 9092));
        assertThat(Endpoint.parse("10.0.0.1:0")).isEqualTo(new Endpoint("10.0.0.1", 0));
        assertThat(Endpoint.parse("h:65535")).isEqualTo(new Endpoint("h", 65_535));
    }

    @Test
    void shouldParseBracketedAddress() {
        assertThat(Endpoint.parse("[2001:db8::1]:9092")).isEqualTo(new Endpoint("2001:db8::1", 9092));
    }

    @ParameterizedTest
    @ValueSource(strings = {"localhost:9092", "[::1]:9092", "127.0.0.1:1"})
    void shouldPrintWhatItParses(String text) {
        assertThat(Endpoint.parse(text)).hasToString(text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "host", ":9092", "host:", "host:port", "host:-1", "host:65536", "::1:9092", "[]:9092"})
    void shouldRefuseOtherText(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> Endpoint.parse(text));
    }

    @Test
    void shouldQuoteTextThatIsNoEndpoint() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Endpoint.parse("my host 9092"))
                .withMessageContaining("\"my host 9092\"");
    }
}
