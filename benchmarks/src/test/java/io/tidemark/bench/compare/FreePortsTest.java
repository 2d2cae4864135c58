package io.tidemark.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.testkit.SeededRandomness;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

final class FreePortsTest {
    // Fails if: ports are the system's choice, which lends them to outgoing connections while their broker is dead.
    @Test
    void shouldFindDifferentPortsBelowTheEphemeralRange() throws IOException {
        // when
        List<Integer> ports = FreePorts.find(6, new SeededRandomness(7));

        // then
        assertThat(ports)
                .hasSize(6)
                .doesNotHaveDuplicates()
                .allSatisfy(port -> assertThat(port).isBetween(10_000, FreePorts.ephemeralStart() - 1));
    }
}
