package io.tidemark.core.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class LogConfigTest {
    @Test
    void shouldHaveTheDefaultsThatOperatorsExpect() {
        assertThat(LogConfig.DEFAULTS.segments().bytes()).isEqualTo(1_073_741_824);
        assertThat(LogConfig.DEFAULTS.segments().indexIntervalBytes()).isEqualTo(4_096);
        assertThat(LogConfig.DEFAULTS.segments().indexMaxBytes()).isEqualTo(10_485_760);
        assertThat(LogConfig.DEFAULTS.messages().maxBytes()).isEqualTo(1_048_588);
        assertThat(LogConfig.DEFAULTS.retention().deleteDelay()).isEqualTo(Duration.ofMinutes(1));
        assertThat(LogConfig.DEFAULTS.flush().mode()).isEqualTo(FlushMode.ASYNC);
    }

    @Test
    void shouldRoundTheIndexSizeDownToWholeEntries() {
        assertThat(LogConfig.DEFAULTS.withIndex(0, 1_023).segments().indexMaxBytes())
                .isEqualTo(1_016);
    }

    @Test
    void shouldRefuseSizesThatMakeNoLog() {
        assertThatThrownBy(() -> LogConfig.DEFAULTS.withSegmentBytes(0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> LogConfig.DEFAULTS.withIndex(0, 7)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> MessageConfig.DEFAULTS.withMaxBytes(0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> RetentionConfig.DEFAULTS.withLimits(-2, -1))
                .isInstanceOf(IllegalArgumentException.class);
    }

    /** KAFKA-14991. */
    // Fails if: MessageConfig.latestTimestampMs ignores the timestamp type, or overflows
    @Test
    void shouldAcceptTimestampsUpToTheLimitBeyondTheClock() {
        // given
        MessageConfig limited =
                MessageConfig.DEFAULTS.withTimestamps(MessageConfig.TimestampType.CREATE_TIME, Duration.ofMinutes(10));

        // when / then
        assertThat(MessageConfig.DEFAULTS.latestTimestampMs(5)).isEqualTo(3_600_005);
        assertThat(limited.latestTimestampMs(1_000)).isEqualTo(601_000);
        assertThat(MessageConfig.DEFAULTS
                        .withTimestamps(MessageConfig.TimestampType.CREATE_TIME, Duration.ofMillis(Long.MAX_VALUE))
                        .latestTimestampMs(1_000))
                .isEqualTo(Long.MAX_VALUE);
        assertThat(limited.withTimestamps(MessageConfig.TimestampType.LOG_APPEND_TIME, Duration.ZERO)
                        .latestTimestampMs(1_000))
                .isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void shouldChangeOneSettingOnly() {
        // when
        LogConfig changed = LogConfig.DEFAULTS
                .withSegmentBytes(100)
                .withDeleteDelay(Duration.ZERO)
                .with(FlushConfig.DEFAULTS.withMode(FlushMode.SYNC));

        // then
        assertThat(changed)
                .isEqualTo(new LogConfig(
                        new SegmentConfig(100, Duration.ofDays(7), Duration.ZERO, 4096, 10_485_760),
                        MessageConfig.DEFAULTS,
                        new RetentionConfig(604_800_000, -1, Duration.ZERO),
                        CompactionConfig.DEFAULTS,
                        new FlushConfig(FlushMode.SYNC, Long.MAX_VALUE, Optional.empty()),
                        Duration.ofDays(1)));
    }
}
