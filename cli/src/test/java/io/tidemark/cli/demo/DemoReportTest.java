package io.tidemark.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class DemoReportTest {
    @ParameterizedTest
    @CsvSource({"0, 0, 0, true", "1, 0, 0, false", "0, 1, 0, false", "0, 0, 1, false"})
    void shouldBeGoodWhenNothingIsLostRepeatedOrOutOfOrder(
            long lost, long duplicated, long outOfOrder, boolean expected) {
        // given
        DemoReport report = new DemoReport(100, 100, 45, 100, lost, duplicated, outOfOrder, 700);

        // then
        assertThat(report.isGood()).isEqualTo(expected);
    }

    @Test
    void shouldBeWrittenWithTheNamesThatScriptsRead() {
        // given
        DemoReport report = new DemoReport(1, 2, 3, 4, 5, 6, 7, 8);

        // then
        assertThat(report.toJson().toString())
                .isEqualTo("{\"sent\":1,\"acked\":2,\"killedAtAcked\":3,\"consumed\":4,\"lost\":5,"
                        + "\"duplicated\":6,\"outOfOrder\":7,\"failoverMs\":8}");
    }
}
