package io.tidemark.cli.health;

import io.tidemark.cli.ClusterOptions;
import io.tidemark.cli.CommandFailure;
import io.tidemark.cli.ExitCode;
import io.tidemark.cli.OutputOption;
import io.tidemark.cli.dev.Pause;
import io.tidemark.client.admin.Admin;
import io.tidemark.client.admin.ClusterHealth;
import io.tidemark.client.net.Metadata;
import io.tidemark.runtime.Clock;
import io.tidemark.runtime.SystemClock;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code tidemark cluster health} (OPERATIONS 1.2). */
@Command(
        name = "health",
        description = {
            "Say whether the cluster is well: every live broker is asked for its own view.",
            "Exit status 0: it is; 2: it is not; 3: it was not when the time of --wait-healthy was over."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  tidemark cluster health",
            "  tidemark cluster health --wait-healthy --timeout 120",
            "  tidemark cluster health --wait-healthy --checks 12 --timeout 600"
        })
public final class HealthCommand implements Callable<Integer> {
    private static final Clock CLOCK = new SystemClock();
    private static final String WHAT = "cannot tell whether the cluster is well";

    /** Brokers hear of a change one after the other: views that differ are looked at again after so long. */
    private static final Duration NEWS_TRAVELS = Duration.ofMillis(500);

    @Mixin
    private ClusterOptions cluster = new ClusterOptions();

    @Mixin
    private OutputOption output = new OutputOption();

    @Option(
            names = "--wait-healthy",
            description = "wait until it is well, at most for --timeout; default: answer at once")
    private boolean wait;

    @Option(
            names = "--checks",
            paramLabel = "N",
            defaultValue = "1",
            description = "how often in a row it has to be well; default ${DEFAULT-VALUE}")
    private int checks;

    @Option(
            names = "--interval",
            paramLabel = "SECONDS",
            defaultValue = "1",
            description = "seconds between two checks; default ${DEFAULT-VALUE}")
    private int intervalSeconds;

    @Override
    public Integer call() {
        if (checks < 1 || intervalSeconds < 1) {
            throw new CommandFailure(
                    ExitCode.USAGE,
                    "--checks and --interval are at least 1, not " + checks + " and " + intervalSeconds);
        }
        long deadlineNs = CLOCK.monotonicNs() + cluster.timeout().toNanos();
        ClusterHealth health = cluster.talk(admin -> wait ? untilHealthy(admin, deadlineNs) : now(admin));
        new HealthReport(health).print(output.output());
        if (health.isHealthy()) {
            return ExitCode.OK;
        }
        return wait ? ExitCode.TIMED_OUT : ExitCode.ANSWER_IS_NO;
    }

    /** Not waiting: as many checks as asked for, the first that is not well is the answer. */
    private ClusterHealth now(Admin admin) {
        ClusterHealth health = settled(admin);
        for (int check = 1; check < checks && health.isHealthy(); check++) {
            pause(Duration.ofSeconds(intervalSeconds));
            health = settled(admin);
        }
        return health;
    }

    private ClusterHealth untilHealthy(Admin admin, long deadlineNs) {
        int inARow = 0;
        while (true) {
            ClusterHealth health = ask(admin);
            inARow = health.isHealthy() ? inARow + 1 : 0;
            Duration interval = Duration.ofSeconds(intervalSeconds);
            boolean hasTime = deadlineNs - CLOCK.monotonicNs() > interval.toNanos();
            if (inARow >= checks || !hasTime) {
                return inARow >= checks ? health : unfinished(health, inARow);
            }
            output.output().progress(health.isHealthy() ? "well, check " + inARow + " of " + checks : summary(health));
            pause(interval);
        }
    }

    /** The time was over in the middle of good checks: that is not enough. */
    private ClusterHealth unfinished(ClusterHealth health, int inARow) {
        if (!health.isHealthy()) {
            return health;
        }
        throw new CommandFailure(
                ExitCode.TIMED_OUT,
                "the cluster was well at " + inARow + " checks in a row, not at " + checks + ", when the time was over",
                "use a longer --timeout");
    }

    private ClusterHealth settled(Admin admin) {
        ClusterHealth health = ask(admin);
        boolean onlyNews = !health.isHealthy()
                && health.problems().stream().allMatch(each -> each.kind() == ClusterHealth.Kind.DISAGREEMENT);
        if (!onlyNews) {
            return health;
        }
        pause(NEWS_TRAVELS);
        return ask(admin);
    }

    private ClusterHealth ask(Admin admin) {
        Metadata any = cluster.answer(WHAT, admin.describeCluster());
        return HealthPoll.ask(admin, any, cluster.timeout());
    }

    private static String summary(ClusterHealth health) {
        int others = health.problems().size() - 1;
        return health.problems().get(0).text() + (others == 0 ? "" : ", and " + others + " more");
    }

    private static void pause(Duration time) {
        boolean unused = Pause.until(() -> false, time);
    }
}
