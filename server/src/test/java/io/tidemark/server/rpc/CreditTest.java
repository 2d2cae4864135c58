package io.tidemark.server.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class CreditTest {
    @Test
    void shouldAdmitWhatIsLeft() {
        Credit credit = new Credit(100);
        credit.spend(40);
        assertThat(credit.leftBytes()).isEqualTo(60);
        assertThat(credit.admits(60)).isTrue();
        assertThat(credit.admits(61)).isFalse();
        assertThat(credit.tryGrant(1)).isTrue();
        assertThat(credit.admits(61)).isTrue();
    }

    @Test
    void shouldAdmitARecordThatIsLargerThanAllCreditOnlyWhenNothingIsOutstanding() {
        // given
        Credit credit = new Credit(100);
        assertThat(credit.admits(1_000)).isTrue();

        // when one byte is outstanding
        credit.spend(1);
        assertThat(credit.admits(1_000)).isFalse();
        credit.tryGrant(1);

        // then
        assertThat(credit.admits(1_000)).isTrue();
        credit.spend(1_000);
        assertThat(credit.leftBytes()).isEqualTo(-900);
        assertThat(credit.admits(1)).isFalse();
        credit.tryGrant(1_000);
        assertThat(credit.leftBytes()).isEqualTo(100);
    }

    @Test
    void shouldRefuseASumBeyond64Bits() {
        Credit credit = new Credit(10);
        assertThat(credit.tryGrant(Long.MAX_VALUE)).isFalse();
        assertThat(credit.leftBytes()).isEqualTo(10);
        assertThat(credit.tryGrant(Long.MAX_VALUE - 10)).isTrue();
        assertThat(credit.leftBytes()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void shouldBoundNothingWithoutCredit() {
        Credit credit = new Credit(0);
        credit.spend(1 << 30);
        assertThat(credit.isBounded()).isFalse();
        assertThat(credit.admits(Long.MAX_VALUE)).isTrue();
    }
}
