package io.tidemark.core.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

final class LogConfigTest {
    @Test
    void shouldHaveTheDefaultsThatOperatorsExpect() {
        assertThat(LogConfig.DEFAULTS.segmentBytes()).isEqualTo(1_073_741_824);
        assertThat(LogConfig.DEFAULTS.indexIntervalBytes()).isEqualTo(4_096);
        assertThat(LogConfig.DEFAULTS.indexMaxBytes()).isEqualTo(10_485_760);
        assertThat(LogConfig.DEFAULTS.maxMessageBytes()).isEqualTo(1_048_588);
        assertThat(LogConfig.DEFAULTS.deleteDelay()).isEqualTo(Duration.ofMinutes(1));
        assertThat(LogConfig.DEFAULTS.flushMode()).isEqualTo(FlushMode.ASYNC);
    }

    @Test
    void shouldRoundTheIndexSizeDownToWholeEntries() {
        assertThat(LogConfig.DEFAULTS.withIndex(0, 1_023).indexMaxBytes()).isEqualTo(1_016);
    }

    @Test
    void shouldRefuseSizesThatMakeNoLog() {
        assertThatThrownBy(() -> LogConfig.DEFAULTS.withSegmentBytes(0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> LogConfig.DEFAULTS.withIndex(0, 7)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> LogConfig.DEFAULTS.withMaxMessageBytes(0))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> LogConfig.DEFAULTS.withRetention(-2, -1)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void shouldChangeOneSettingOnly() {
        // when
        LogConfig changed = LogConfig.DEFAULTS
                .withSegmentBytes(100)
                .withDeleteDelay(Duration.ZERO)
                .withFlushMode(FlushMode.SYNC)
                .withRetention(5, 6);

        // then
        assertThat(changed)
                .isEqualTo(new LogConfig(
                        100, 4096, 10_485_760, 1_048_588, Duration.ZERO, 5, 6, FlushMode.SYNC, Duration.ofDays(1)));
    }
}
