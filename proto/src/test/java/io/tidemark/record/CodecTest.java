package io.tidemark.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.apache.kafka.common.record.CompressionType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

final class CodecTest {
    @ParameterizedTest
    @EnumSource
    void shouldHaveTheIdAndNameThatKafkaHas(Codec codec) {
        CompressionType kafka = CompressionType.forId(codec.id());
        assertThat(kafka.name).isEqualTo(codec.configName());
        assertThat(Codec.ofId(codec.id())).isSameAs(codec);
        assertThat(Codec.parse(kafka.name)).isSameAs(codec);
    }

    @ParameterizedTest
    @ValueSource(ints = {5, 6, 7, -1})
    void shouldRefuseUnknownIds(int id) {
        assertThat(Codec.isKnown(id)).isFalse();
        assertThatExceptionOfType(InvalidBatchException.class)
                .isThrownBy(() -> Codec.ofId(id))
                .withMessageContaining(String.valueOf(id));
    }

    @Test
    void shouldQuoteAnUnknownNameAndListTheKnownOnes() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Codec.parse("GZIP"))
                .withMessage("expected none, gzip, snappy, lz4 or zstd, not \"GZIP\"");
    }
}
