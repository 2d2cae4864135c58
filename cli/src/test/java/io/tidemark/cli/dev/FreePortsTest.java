package io.tidemark.cli.dev;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.runtime.Randomness;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import org.junit.jupiter.api.Test;

final class FreePortsTest {
    /** Each port twice. */
    private static final class Stubborn implements Randomness {
        private final int first;
        private int asked;

        Stubborn(int first) {
            this.first = first;
        }

        @Override
        public int nextInt(int bound) {
            return (first + asked++ / 2) % bound;
        }

        @Override
        public long nextLong() {
            return 0;
        }
    }

    /** A port of the ephemeral range may be an outgoing connection's when the cluster starts again. */
    @Test
    void shouldFindDifferentPortsBelowTheEphemeralRange() throws IOException {
        // when
        List<Integer> ports = FreePorts.of(new Stubborn(7_000)).find(10);

        // then
        assertThat(ports)
                .doesNotHaveDuplicates()
                .hasSize(10)
                .allSatisfy(port -> assertThat(port).isBetween(10_000, FreePorts.ephemeralStart() - 1));
    }

    @Test
    void shouldPassOverWhatIsTaken() throws IOException {
        // given
        try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            int taken = other.getLocalPort();

            // when
            List<Integer> ports =
                    FreePorts.from(taken, taken + 20, new Stubborn(0)).find(3);

            // then
            assertThat(ports).hasSize(3).doesNotContain(taken);
        }
    }
}
