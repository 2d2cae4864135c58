package io.tidemark.sim.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.config.TruncationMode;
import io.tidemark.sim.Trace;
import io.tidemark.sim.plan.PlanText;
import io.tidemark.sim.plan.SimPlan;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Plans that once went wrong, as shrinking left them ({@code src/test/resources/regressions/*.sim}). A plan under all rules must not go
 * wrong again; one with a planted fault must, or the checks have become blind.
 */
final class RegressionTest {
    static List<Path> plans() throws IOException, URISyntaxException {
        Path directory = Path.of(Objects.requireNonNull(RegressionTest.class.getResource("/regressions"))
                .toURI());
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> file.toString().endsWith(".sim"))
                    .sorted()
                    .toList();
        }
    }

    // Issue 5 (failing seeds are kept). Fails if: what each plan's first line tells comes back
    @ParameterizedTest(allowZeroInvocations = true)
    @MethodSource("plans")
    void shouldGoWrongOnlyWhereAFaultIsPlanted(Path file) throws IOException {
        // given
        PlanText.Parsed parsed = PlanText.parse(Files.readString(file, StandardCharsets.UTF_8));
        assertThat(parsed).isInstanceOf(PlanText.Parsed.Plan.class);
        SimPlan plan = ((PlanText.Parsed.Plan) parsed).plan();

        // when
        RunResult result = new SimRun(plan, Trace.lastLines(40)).run();

        // then
        assertThat(result.violated().isPresent()).as("%s: %s", file, result).isEqualTo(isPlanted(plan));
    }

    private static boolean isPlanted(SimPlan plan) {
        return !plan.rules().waived().isEmpty() || plan.shape().truncation() != TruncationMode.LEADER_EPOCH;
    }
}
