package io.tidemark.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.model.ErrorCode.Outcome;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class ErrorCodeTest {
    @Test
    void shouldHaveTheNamesAndNumbersOfTheWire() {
        // given
        List<String> wire = Arrays.stream(io.tidemark.wire.v1.ErrorCode.values())
                .filter(code -> code != io.tidemark.wire.v1.ErrorCode.UNRECOGNIZED)
                .map(code -> code.getNumber() + " " + code.name())
                .toList();
        // when
        ErrorCode[] codes = ErrorCode.values();
        List<String> model = IntStream.range(0, codes.length)
                .mapToObj(number -> number + " ERROR_CODE_" + codes[number].name())
                .toList();
        // then
        assertThat(model).isEqualTo(wire);
    }

    @ParameterizedTest
    @EnumSource
    void shouldBeRetriableUnlessTheOutcomeIsFinal(ErrorCode code) {
        boolean isFinal = code.outcome() == Outcome.DONE || code.outcome() == Outcome.FAILED;
        assertThat(code.isRetriable()).isEqualTo(!isFinal);
    }

    @Test
    void shouldTellFailedFromUnknownAroundMinIsr() {
        assertThat(ErrorCode.NOT_ENOUGH_REPLICAS.outcome()).isEqualTo(Outcome.FAILED_RETRY);
        assertThat(ErrorCode.NOT_ENOUGH_REPLICAS_AFTER_APPEND.outcome()).isEqualTo(Outcome.UNKNOWN);
        assertThat(ErrorCode.REQUEST_TIMED_OUT.outcome()).isEqualTo(Outcome.UNKNOWN);
        assertThat(ErrorCode.KAFKA_STORAGE_ERROR.outcome()).isEqualTo(Outcome.UNKNOWN);
    }

    @Test
    void shouldNeverAskForARetryOfABadBatch() {
        assertThat(List.of(ErrorCode.CORRUPT_MESSAGE, ErrorCode.INVALID_RECORD, ErrorCode.MESSAGE_TOO_LARGE))
                .noneMatch(ErrorCode::isRetriable);
    }

    @Test
    void shouldBeDoneOnlyWithoutAnError() {
        assertThat(Arrays.stream(ErrorCode.values()).filter(code -> code.outcome() == Outcome.DONE))
                .containsExactly(ErrorCode.NONE);
    }
}
