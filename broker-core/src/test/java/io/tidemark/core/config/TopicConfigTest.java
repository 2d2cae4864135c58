package io.tidemark.core.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class TopicConfigTest {
    @Test
    void shouldFallBackToTheBrokersDefaults() {
        // given
        LogConfig broker =
                LogConfig.DEFAULTS.withSegmentBytes(5_000).with(FlushConfig.DEFAULTS.withMode(FlushMode.SYNC));

        // when, then
        TopicConfig nothing = ((ConfigOutcome.Valid<TopicConfig>) TopicConfig.parse(Map.of())).config();
        assertThat(nothing.log(broker)).isEqualTo(broker);
    }

    @Test
    void shouldOverrideWhatItSets() {
        // given
        Map<String, String> texts = Map.of(
                "segment.bytes", "2048",
                "index.interval.bytes", "0",
                "max.message.bytes", "777",
                "file.delete.delay.ms", "0",
                "retention.ms", "-1",
                "retention.bytes", "1000000",
                "min.insync.replicas", "3",
                "unclean.leader.election.enable", "true",
                "cleanup.policy", "compact, delete");

        // when
        TopicConfig topic = ((ConfigOutcome.Valid<TopicConfig>) TopicConfig.parse(texts)).config();

        // then
        assertThat(topic.log(LogConfig.DEFAULTS))
                .isEqualTo(LogConfig.DEFAULTS
                        .withSegmentBytes(2_048)
                        .withIndex(0, LogConfig.DEFAULTS.segments().indexMaxBytes())
                        .with(MessageConfig.DEFAULTS.withMaxBytes(777))
                        .with(new RetentionConfig(RetentionConfig.UNLIMITED, 1_000_000, Duration.ZERO))
                        .with(CompactionConfig.DEFAULTS.withPolicy(CleanupPolicy.COMPACT_AND_DELETE)));
    }

    @ParameterizedTest
    @CsvSource({
        "cleanup.policy, shrink, 'expected delete, compact or compact,delete'",
        "min.cleanable.dirty.ratio, 1.5, expected a number from 0 to 1",
        "min.insync.replicas, 0, 'expected an integer from 1 to 100'",
        "segment.bytes, 10, 'expected an integer, at least 1024'",
        "log.segment.bytes, 2048, 'did you mean \"segment.bytes\"?'",
        "retention.hours, 1, 'unknown key'"
    })
    void shouldRefuseWhatItDoesNotKnow(String key, String value, String reason) {
        assertThat(TopicConfig.parse(Map.of(key, value)))
                .isInstanceOfSatisfying(
                        ConfigOutcome.Invalid.class,
                        invalid -> assertThat(invalid.message()).contains(key).contains(reason));
    }
}
