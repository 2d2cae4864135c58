package io.tidemark.cli.errors;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.cli.CommandFailure;
import io.tidemark.client.TidemarkException;
import io.tidemark.model.ErrorCode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ErrorGuideTest {
    @ParameterizedTest
    @EnumSource(ErrorCode.class)
    void shouldExplainEveryCode(ErrorCode code) {
        assertThat(ErrorGuide.all())
                .filteredOn(entry -> entry.code() == code)
                .singleElement()
                .satisfies(entry -> {
                    assertThat(entry.meaning()).isNotBlank().doesNotEndWith(".");
                    assertThat(entry.next()).endsWith(".");
                    assertThat(entry.outcome()).isNotBlank();
                });
    }

    @ParameterizedTest
    @ValueSource(strings = {"NOT_CONTROLLER", "not_controller", "not-controller", "ERROR_CODE_NOT_CONTROLLER"})
    void shouldUnderstandHoweverANameIsWritten(String name) {
        assertThat(ErrorGuide.named(name))
                .hasValueSatisfying(entry -> assertThat(entry.code()).isEqualTo(ErrorCode.NOT_CONTROLLER));
    }

    @Test
    void shouldFindWhatWasMeant() {
        assertThat(ErrorGuide.named("NOT_ENOUGH_REPLICA")).isEmpty();
        assertThat(ErrorGuide.closestTo("not_enough_replica")).contains("NOT_ENOUGH_REPLICAS");
        assertThat(ErrorGuide.closestTo("xyz")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"BROKER_NOT_AVAILABLE, 5", "REQUEST_TIMED_OUT, 3", "TOPIC_ALREADY_EXISTS, 1", "NOT_ENOUGH_REPLICAS, 1"})
    void shouldEndWithTheExitCodeThatTellsWhatHappened(ErrorCode error, int exitCode) {
        // when
        CommandFailure failure =
                Explanation.of("cannot do it", "host:1", new TidemarkException(error, "said broker host:1"));

        // then
        assertThat(failure.exitCode()).isEqualTo(exitCode);
        assertThat(failure).hasMessageContaining("cannot do it").hasMessageContaining(error.name());
        assertThat(failure.next()).isNotBlank();
    }

    @Test
    void shouldNameTheAddressesThatWereTried() {
        // when
        CommandFailure failure = Explanation.of(
                "cannot list topics",
                "host:1,host:2",
                new TidemarkException(ErrorCode.BROKER_NOT_AVAILABLE, "connection refused"));

        // then
        assertThat(failure).hasMessageContaining("tried host:1,host:2");
    }
}
