package io.tidemark.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

final class QueryTest {
    @Test
    void shouldReadNamesAndValues() {
        Query query = Query.of("verbose&topic=a%2Fb+c&topic=second&empty=");
        assertThat(query.has("verbose")).isTrue();
        assertThat(query.value("verbose")).contains("");
        assertThat(query.value("topic")).contains("a/b c");
        assertThat(query.value("empty")).contains("");
        assertThat(query.has("other")).isFalse();
        assertThat(query.value("other")).isEmpty();
    }

    @Test
    void shouldTakeNoQueryForAnEmptyOne() {
        assertThat(Query.of(null).has("")).isFalse();
        assertThat(Query.of("").has("")).isFalse();
    }

    @Test
    void shouldRefuseWhatCannotBeRead() {
        assertThatThrownBy(() -> Query.of("topic=%zz")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Query.of("a".repeat(10_000))).isInstanceOf(IllegalArgumentException.class);
    }
}
