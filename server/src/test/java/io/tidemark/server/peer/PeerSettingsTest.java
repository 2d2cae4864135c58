package io.tidemark.server.peer;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.server.rpc.MessageLimits;
import org.junit.jupiter.api.Test;

/** What a broker takes from its peers. */
final class PeerSettingsTest {
    /** KNOWN_BUGS 41: replication of stored data never depends on a client's limit. */
    @Test
    void shouldTakeFromPeersWhateverTheirListenersMaySend() {
        // given a broker whose batches are small beside the answers that hold many of them
        int batchMaxBytes = 1 << 20;
        int fetchMaxBytes = 50 << 20;

        // when
        MessageLimits limits = MessageLimits.fitting(batchMaxBytes, fetchMaxBytes);
        PeerSettings settings = PeerSettings.of(limits);

        // then
        assertThat(settings.messageMaxBytes()).isEqualTo(limits.peerMaxBytes()).isEqualTo(Integer.MAX_VALUE);
    }
}
