package io.tidemark.replication.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

final class FetchSettingsTest {
    // I22: a follower that fetches is seen well before it would leave
    // Fails if: FetchSettings.withRoundsFor takes replica.lag.time.max.ms itself
    @Test
    void shouldLookAtUnchangedPartitionsSeveralTimesInTheLagTime() {
        // when
        FetchSettings settings = FetchSettings.DEFAULTS.withRoundsFor(Duration.ofSeconds(30));

        // then
        assertThat(settings.roundInterval()).isBetween(Duration.ofSeconds(1), Duration.ofSeconds(10));
        assertThat(settings.maxSessions()).isEqualTo(FetchSettings.DEFAULTS.maxSessions());
    }
}
