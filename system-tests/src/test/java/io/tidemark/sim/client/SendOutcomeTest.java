package io.tidemark.sim.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.client.TidemarkException;
import io.tidemark.history.Phase;
import io.tidemark.model.ErrorCode;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a producer is told, and what a history says of it. */
final class SendOutcomeTest {
    private static SendOutcome failed(ErrorCode error) {
        return SendOutcome.of(-1, new TidemarkException(error, "so it is"));
    }

    // I13. Fails if: SendOutcome.of goes by whether a retry is allowed
    @Test
    void shouldTellCertainFailuresFromUnknownOutcomes() {
        assertThat(failed(ErrorCode.NOT_ENOUGH_REPLICAS).phase()).isEqualTo(Phase.FAIL);
        assertThat(failed(ErrorCode.NOT_ENOUGH_REPLICAS_AFTER_APPEND).phase()).isEqualTo(Phase.INFO);
        assertThat(failed(ErrorCode.MESSAGE_TOO_LARGE).phase()).isEqualTo(Phase.FAIL);
        assertThat(failed(ErrorCode.REQUEST_TIMED_OUT).phase()).isEqualTo(Phase.INFO);
        assertThat(failed(ErrorCode.NOT_LEADER_OR_FOLLOWER).phase()).isEqualTo(Phase.INFO);
        assertThat(SendOutcome.of(7, null)).isEqualTo(new SendOutcome(Phase.OK, 7, ""));
    }

    // Fails if: SendOutcome.of goes by the error's own outcome: the producer knows better
    @Test
    void shouldBelieveTheProducerRatherThanTheCode() {
        TidemarkException neverSent =
                new TidemarkException(ErrorCode.REQUEST_TIMED_OUT, ErrorCode.Outcome.FAILED, "never sent");

        assertThat(SendOutcome.of(-1, neverSent).phase()).isEqualTo(Phase.FAIL);
    }

    // Fails if: SendOutcome.together lets one record speak for the others
    @Test
    void shouldCallAnOperationUnknownWhoseRecordsFaredDifferently() {
        SendOutcome ok = SendOutcome.of(3, null);
        SendOutcome fail = failed(ErrorCode.NOT_ENOUGH_REPLICAS);

        assertThat(SendOutcome.together(List.of(ok, ok))).isEqualTo(Phase.OK);
        assertThat(SendOutcome.together(List.of(fail, fail))).isEqualTo(Phase.FAIL);
        assertThat(SendOutcome.together(List.of(ok, fail))).isEqualTo(Phase.INFO);
        assertThat(SendOutcome.firstError(List.of(ok, fail))).contains("NOT_ENOUGH_REPLICAS");
    }
}
