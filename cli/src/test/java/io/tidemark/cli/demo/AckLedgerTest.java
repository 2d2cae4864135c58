package io.tidemark.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.client.TidemarkException;
import io.tidemark.model.ErrorCode;
import io.tidemark.runtime.Clock;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class AckLedgerTest {
    private static final long MS = 1_000_000;

    private final SteppedClock clock = new SteppedClock();

    private static final class SteppedClock implements Clock {
        private long nowNs = -5 * MS;

        @Override
        public long wallMs() {
            return 0;
        }

        @Override
        public long monotonicNs() {
            return nowNs;
        }
    }

    @Test
    void shouldKnowWhatIsAcknowledgedAndTheLongestSilence() {
        // given
        AckLedger ledger = new AckLedger(clock, 10, 100);

        // when
        ledger.answered(0, null);
        clock.nowNs += 3 * MS;
        ledger.answered(2, null);
        clock.nowNs += 250 * MS;
        ledger.answered(1, null);
        clock.nowNs += 20 * MS;
        ledger.answered(5, null);

        // then
        assertThat(ledger.count()).isEqualTo(4);
        assertThat(ledger.acked().stream()).containsExactly(0, 1, 2, 5);
        assertThat(ledger.longestSilenceMs()).isEqualTo(250);
        assertThat(ledger.failures()).isZero();
    }

    @Test
    void shouldNotTakeTheTimeBeforeTheFirstForSilence() {
        // given
        AckLedger ledger = new AckLedger(clock, 10, 100);

        // when
        clock.nowNs += 900 * MS;
        ledger.answered(0, null);

        // then
        assertThat(ledger.longestSilenceMs()).isZero();
    }

    @Test
    void shouldNotTakeAFailureForAnAcknowledgement() {
        // given
        AckLedger ledger = new AckLedger(clock, 10, 100);
        TidemarkException failure = new TidemarkException(ErrorCode.REQUEST_TIMED_OUT, "too late");
        ledger.answered(0, null);

        // when
        clock.nowNs += 10 * MS;
        ledger.answered(1, failure);
        clock.nowNs += 10 * MS;
        ledger.answered(2, null);

        // then
        assertThat(ledger.acked().get(1)).isFalse();
        assertThat(ledger.count()).isEqualTo(2);
        assertThat(ledger.failures()).isEqualTo(1);
        assertThat(ledger.lastFailure()).isSameAs(failure);
        assertThat(ledger.longestSilenceMs()).isEqualTo(20);
    }

    @Test
    void shouldTellWhenItIsTimeToKill() throws Exception {
        // given
        AckLedger ledger = new AckLedger(clock, 10, 2);
        CompletableFuture<Void> killed = CompletableFuture.runAsync(() -> {
            try {
                ledger.awaitKillPoint();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });

        // when
        ledger.answered(0, null);
        assertThat(killed).isNotDone();
        ledger.answered(1, null);

        // then
        killed.get(10, TimeUnit.SECONDS);
        ledger.awaitKillPoint();
    }
}
