package io.tidemark.replication.follower;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.testkit.SeededRandomness;
import java.time.Duration;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

final class BackoffTest {
    private final SeededRandomness randomness = new SeededRandomness(11);
    private final Backoff backoff = new Backoff(Duration.ofMillis(10), Duration.ofSeconds(1), randomness);

    @Test
    void shouldDoubleUpToTheLimitWithHalfOfItRandom() {
        for (int failures = 1; failures < 200; failures++) {
            // given
            long fullNs = failures > 7 ? 1_000_000_000L : 10_000_000L << (failures - 1);

            // when
            long pauseNs = backoff.pauseNs(failures);

            // then
            assertThat(pauseNs).as("%d failures, %s", failures, randomness).isBetween(fullNs / 2, fullNs);
        }
    }

    /** grpc-java#6473: attempts of many fetchers do not come in step. */
    @Test
    void shouldSpreadEqualFailures() {
        // when
        TreeSet<Long> pauses = new TreeSet<>();
        for (int i = 0; i < 100; i++) {
            pauses.add(backoff.longestNs());
        }

        // then
        assertThat(pauses).as(randomness.toString()).hasSizeGreaterThan(90);
    }
}
