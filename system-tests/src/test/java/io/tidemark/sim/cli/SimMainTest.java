package io.tidemark.sim.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.tidemark.sim.plan.PlanText;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** The command line of the simulator. */
final class SimMainTest {
    private static final String PLANTED = """
            seed 1
            brokers 3 session 2s lag 1s
            length 1s
            """;

    private static final String SCENARIOS = "src/test/resources/scenarios";

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    // Fails if: RunCommand.call() ends with 0 whatever it found
    @Test
    void shouldRunSeedsAndTellTheMeans() {
        // when
        int code = execute("run", "--seeds", "1..3", "--steps", "2", "-o", "json");

        // then
        JsonObject report = JsonParser.parseString(out.toString()).getAsJsonObject();
        assertThat(code).as(err.toString()).isZero();
        assertThat(report.get("runs").getAsInt()).isEqualTo(3);
        assertThat(report.getAsJsonObject("means").get("events").getAsDouble()).isPositive();
        assertThat(report.getAsJsonArray("violations")).isEmpty();
    }

    // Fails if: RunCommand.call() asks for the floors of the ordinary mix whatever was asked for
    @Test
    void shouldHoldOtherMixesToNoFloors() {
        // when
        int code = execute("run", "--seeds", "1..2", "--steps", "0", "--faults", "none");

        // then
        assertThat(code).as(err.toString()).isZero();
        assertThat(out.toString()).contains("2 runs", "0.00 crashes, 0.00 cuts").doesNotContain("too little");
    }

    // Fails if: RunCommand.Reporter tells no commands, or leaves out the options
    @Test
    void shouldTellHowToReplayWhatWasViolated() {
        // when
        int code = execute("run", "--seeds", "1..300", "--truncation", "high-watermark");

        // then
        assertThat(code).isEqualTo(SimMain.VIOLATED);
        assertThat(err.toString())
                .containsPattern("VIOLATED \\w+ by \\d+ --truncation high-watermark")
                .containsPattern("\\./tidemark-sim replay \\d+ --truncation high-watermark")
                .containsPattern("\\./tidemark-sim shrink \\d+ --truncation high-watermark");
        assertThat(out.toString()).contains("1 violated something");
    }

    // Fails if: ReplayCommand.Printer prints what was before --from
    @Test
    void shouldReplayAPlanFromAFile(@TempDir Path directory) throws IOException {
        // given
        Path file = Files.writeString(directory.resolve("a.sim"), PLANTED, StandardCharsets.UTF_8);

        // when
        int code = execute("replay", file.toString(), "--from", "500");

        // then
        assertThat(code).as(err.toString()).isZero();
        List<String> lines = out.toString().lines().toList();
        assertThat(lines.get(0)).isEqualTo("# seed 1");
        assertThat(lines.get(lines.size() - 1)).matches("clean after \\d+ events, digest [0-9a-f]{16}");
        assertThat(lines.stream().filter(line -> line.contains(" ms  ")))
                .isNotEmpty()
                .allMatch(line -> Double.parseDouble(line.trim().split(" ", 2)[0]) >= 500);
    }

    // Fails if: ShrinkCommand.write() writes no plan
    @Test
    void shouldShrinkToAPlanThatGoesWrongInTheSameWay(@TempDir Path directory) throws IOException {
        // given
        assertThat(execute("run", "--seeds", "1..300", "--truncation", "high-watermark", "-o", "json"))
                .isEqualTo(SimMain.VIOLATED);
        JsonObject found = JsonParser.parseString(out.toString())
                .getAsJsonObject()
                .getAsJsonArray("violations")
                .get(0)
                .getAsJsonObject();
        Path file = directory.resolve("small.sim");

        // when
        int code = execute(
                "shrink", found.get("seed").getAsString(), "--truncation", "high-watermark", "-f", file.toString());

        // then
        assertThat(code).as(err.toString()).isEqualTo(SimMain.VIOLATED);
        String text = Files.readString(file, StandardCharsets.UTF_8);
        assertThat(text).startsWith("# violates " + found.get("invariant").getAsString() + ": ");
        assertThat(PlanText.parse(text)).isInstanceOf(PlanText.Parsed.Plan.class);
        assertThat(execute("replay", file.toString())).isEqualTo(SimMain.VIOLATED);
    }

    // Issue 5 (must show 2). Fails if: FaultsCommand.search() draws under all rules
    @Test
    void shouldShowThatAPlantedFaultIsFound() {
        // when
        int code = execute("faults", "--only", "truncation", "-o", "markdown");

        // then
        assertThat(code).as(err.toString()).isZero();
        assertThat(out.toString())
                .contains("| planted fault |")
                .containsPattern(
                        "\\| truncation to the high watermark \\| I1 \\| `.*` \\| \\d+, \\d+, \\d+ \\| \\d+ \\| [A-Z]\\w+");
    }

    // Issue 5 (must show 1), I7. Fails if: ScenarioCommand.call() plays under all rules whatever it is told
    @Test
    void shouldPlayAScenario() {
        assertThat(execute("scenario", "I7", "--directory", SCENARIOS))
                .as(err.toString())
                .isZero();
        assertThat(out.toString())
                .startsWith("# ")
                .contains(" ms  transfer leadership to 3")
                .endsWith("safe\n");

        assertThat(execute("scenario", "I7", "--without", "JOIN_FROM_EPOCH_START", "--directory", SCENARIOS))
                .isEqualTo(SimMain.VIOLATED);
        assertThat(out.toString()).contains("VIOLATED InSyncHolds: ");
    }

    // Issue 5 (must show 1). Fails if: ScenarioCommand.playAll() ends with 0 whatever came of it
    @Test
    void shouldTellOfAllScenariosWhetherTheyAreAsTheySay(@TempDir Path directory) throws IOException {
        // given
        String head = "scenario a\nrule EPOCH_WALK violates InSyncHolds\nbrokers 1\nstart 1\n";
        Files.writeString(directory.resolve("a.txt"), head + "run 1s\n", StandardCharsets.UTF_8);

        // then
        assertThat(execute("scenario", "--all", "--directory", SCENARIOS))
                .as(out.toString())
                .isZero();
        assertThat(out.toString()).contains("I7: safe; without JOIN_FROM_EPOCH_START: VIOLATED InSyncHolds: ");

        assertThat(execute("scenario", "--all", "--directory", directory.toString()))
                .isEqualTo(SimMain.VIOLATED);
        assertThat(out.toString()).isEqualTo("a: safe; without EPOCH_WALK: safe\n");
    }

    // Fails if: SimMain.onBadUsage() ends with 2
    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "walk",
                "run",
                "run --seeds 5..1",
                "run --seeds 1..2 --threads 0",
                "run --seeds 1..2 --faults weather",
                "run --seeds 1..2 --steps -1",
                "run --seeds 1..2 --without EVERYTHING",
                "run --seeds 1..2 --truncation never",
                "replay /no/such/file",
                "faults --only nothing",
                "faults --budget soon",
                "scenario",
                "scenario I7 --all",
                "scenario nothing",
                "scenario I7 --without EVERYTHING",
                "scenario --all --without EPOCH_WALK",
                "scenario --all --directory /no/such/directory"
            })
    void shouldRefuseWrongUsage(String words) {
        assertThat(execute(words.isEmpty() ? new String[0] : words.split(" ", -1)))
                .isEqualTo(SimMain.USAGE);
        assertThat(err.toString()).startsWith(SimMain.NAME);
        assertThat(out.toString()).isEmpty();
    }

    // Fails if: PlanSource.planOf() does not tell the line
    @Test
    void shouldNameTheLineOfAFileThatIsNoPlan(@TempDir Path directory) throws IOException {
        // given
        Path file = Files.writeString(directory.resolve("b.sim"), PLANTED + "at 5ms crash\n", StandardCharsets.UTF_8);

        // then
        assertThat(execute("replay", file.toString())).isEqualTo(SimMain.USAGE);
        assertThat(err.toString()).contains("b.sim, line 4: expected ");
    }

    // Fails if: ScenarioCommand.read() does not tell the line
    @Test
    void shouldNameTheLineOfAFileThatIsNoScenario(@TempDir Path directory) throws IOException {
        // given
        Files.writeString(directory.resolve("b.txt"), "scenario b\nwalk\n", StandardCharsets.UTF_8);

        // then
        assertThat(execute("scenario", "b", "--directory", directory.toString()))
                .isEqualTo(SimMain.USAGE);
        assertThat(err.toString()).contains("b, line 2: expected ");
    }

    private int execute(String... arguments) {
        out.getBuffer().setLength(0);
        err.getBuffer().setLength(0);
        CommandLine line = SimMain.commandLine();
        line.setOut(new PrintWriter(out));
        line.setErr(new PrintWriter(err));
        return line.execute(arguments);
    }
}
