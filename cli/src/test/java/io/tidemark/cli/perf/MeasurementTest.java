package io.tidemark.cli.perf;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.tidemark.cli.Output;
import io.tidemark.runtime.Clock;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

/** The keys are a contract: comparisons read them. */
final class MeasurementTest {
    private static final long SECOND_NS = 1_000_000_000L;
    private static final long MS_NS = 1_000_000L;

    private final StringWriter out = new StringWriter();
    private final SteppedClock clock = new SteppedClock();

    private static final class SteppedClock implements Clock {
        private long nowNs;

        @Override
        public long wallMs() {
            return nowNs / MS_NS;
        }

        @Override
        public long monotonicNs() {
            return nowNs;
        }
    }

    private Measurement measurement(Output.Format format) {
        PrintWriter writer = new PrintWriter(out);
        return new Measurement(clock, 10, new Output(format, Output.Headers.SHOWN, writer, writer));
    }

    @Test
    void shouldLeaveTheWarmUpOut() {
        // given
        Measurement measurement = measurement(Output.Format.json);
        clock.nowNs = 5 * SECOND_NS;
        measurement.acknowledged(0, 100);

        // when
        measurement.begin();
        clock.nowNs = 6 * SECOND_NS;
        measurement.acknowledged(clock.nowNs - 4 * MS_NS, 500_000);
        measurement.acknowledged(clock.nowNs - 4 * MS_NS, 500_000);
        clock.nowNs = 7 * SECOND_NS;
        measurement.tell();

        // then
        JsonObject told = JsonParser.parseString(out.toString()).getAsJsonObject();
        assertThat(told.keySet())
                .containsExactly(
                        "records",
                        "failed",
                        "seconds",
                        "recordsPerSecond",
                        "megabytesPerSecond",
                        "p50Ms",
                        "p95Ms",
                        "p99Ms",
                        "p99.9Ms",
                        "maxMs");
        assertThat(told.get("records").getAsLong()).isEqualTo(2);
        assertThat(told.get("seconds").getAsDouble()).isEqualTo(2.0);
        assertThat(told.get("recordsPerSecond").getAsDouble()).isEqualTo(1.0);
        assertThat(told.get("megabytesPerSecond").getAsDouble()).isEqualTo(0.5);
        assertThat(told.get("maxMs").getAsDouble()).isBetween(4.0, 4.01);
    }

    @Test
    void shouldTellOnceAndWithUnitsToPeople() {
        // given
        Measurement measurement = measurement(Output.Format.table);
        measurement.read(1_000, 2_000_000);
        measurement.fail(1);
        clock.nowNs = SECOND_NS;

        // when
        measurement.tell();
        measurement.tell();

        // then
        assertThat(out.toString().lines())
                .containsExactly(
                        "PROPERTY    VALUE",
                        "records     1,000",
                        "failed      1",
                        "time        1.00 s",
                        "rate        1,000 records/s",
                        "throughput  2.00 MB/s");
    }
}
