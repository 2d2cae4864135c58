package io.tidemark.coordination.broker;

import static io.tidemark.coordination.broker.RegistrationRule.Verdict;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.coordination.broker.PeerIdentifier.Identity;
import io.tidemark.model.BrokerRegistration;
import io.tidemark.model.Endpoint;
import java.util.List;
import java.util.OptionalLong;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** KNOWN_BUGS 46, row by row. */
final class RegistrationRuleTest {
    private static final long SESSION = 10;
    private static final long OTHER_SESSION = 11;
    private static final BrokerRegistration SELF = broker(1, "d1", "d2");

    @Test
    void shouldCountAsRegisteredOnlyWhenTheCurrentSessionOwnsTheNode() {
        assertThat(judge(SELF, SESSION)).isEqualTo(Verdict.OURS);
        assertThat(judge(SELF, OTHER_SESSION)).isEqualTo(Verdict.REPLACE);
    }

    @Test
    void shouldReplaceTheNodeOfADeadProcessOfTheSameDirectories() {
        assertThat(judge(broker(2, "d1", "d2"), OTHER_SESSION)).isEqualTo(Verdict.REPLACE);
        assertThat(judge(broker(2, "d0", "d2"), OTHER_SESSION)).isEqualTo(Verdict.REPLACE);
    }

    @Test
    void shouldNotReplaceTheNodeOfAProcessThatCameLaterWithACopyOfTheDirectories() {
        assertThat(RegistrationRule.judge(broker(2, "d1", "d2"), OTHER_SESSION, SESSION, SELF, true))
                .isEqualTo(Verdict.ASK);
    }

    @Test
    void shouldAskAboutANodeOfOtherDirectories() {
        assertThat(judge(broker(2, "d3"), OTHER_SESSION)).isEqualTo(Verdict.ASK);
        assertThat(judge(null, OTHER_SESSION)).isEqualTo(Verdict.ASK);
    }

    @Test
    void shouldNotTakeAPersistentNodeForARegistration() {
        assertThat(judge(SELF, 0)).isEqualTo(Verdict.NOT_EPHEMERAL);
    }

    @Test
    void shouldKnowARivalByItsNonce() {
        assertThat(RegistrationRule.isRival(new Identity("c", 5, 2), "c", SELF)).isTrue();
        assertThat(RegistrationRule.isRival(new Identity("c", 5, 1), "c", SELF)).isFalse();
        assertThat(RegistrationRule.isRival(new Identity("c", 6, 2), "c", SELF)).isFalse();
        assertThat(RegistrationRule.isRival(new Identity("x", 5, 2), "c", SELF)).isFalse();
        assertThat(RegistrationRule.isRival(null, "c", SELF)).isFalse();
    }

    @Test
    void shouldContinueTheEpochThatTheControllerRecordedIfItCanProveIt() {
        TreeSet<Long> none = new TreeSet<>();
        TreeSet<Long> own = new TreeSet<>(List.of(20L, 30L));
        long nothing = BrokerRegistration.PROVES_NOTHING;

        assertThat(RegistrationRule.continues(OptionalLong.empty(), none, nothing))
                .isEqualTo(nothing);
        assertThat(RegistrationRule.continues(OptionalLong.of(9), none, nothing))
                .isEqualTo(nothing);
        assertThat(RegistrationRule.continues(OptionalLong.of(9), none, 9)).isEqualTo(9);
        assertThat(RegistrationRule.continues(OptionalLong.of(8), none, 9)).isEqualTo(9);
        assertThat(RegistrationRule.continues(OptionalLong.of(20), own, 9)).isEqualTo(20);
        assertThat(RegistrationRule.continues(OptionalLong.of(9), own, 9)).isEqualTo(9);
        assertThat(RegistrationRule.continues(OptionalLong.of(9), own, nothing)).isEqualTo(30);
        assertThat(RegistrationRule.continues(OptionalLong.empty(), own, nothing))
                .isEqualTo(30);
    }

    private static Verdict judge(BrokerRegistration found, long owner) {
        return RegistrationRule.judge(found, owner, SESSION, SELF, false);
    }

    private static BrokerRegistration broker(long nonce, String... directoryIds) {
        Endpoint endpoint = new Endpoint("h", 1);
        return new BrokerRegistration(
                5,
                -1,
                nonce,
                endpoint,
                endpoint,
                endpoint,
                "",
                List.of(directoryIds),
                BrokerRegistration.PROVES_NOTHING);
    }
}
