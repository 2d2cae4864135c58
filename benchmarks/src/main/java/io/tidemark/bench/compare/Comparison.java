package io.tidemark.bench.compare;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * All sessions: in each repetition every system once, the order turned round each time, so that a machine that becomes slower
 * or busier does not harm one of them alone.
 */
final class Comparison {
    private final Settings settings;
    private final Instruments instruments;

    Comparison(Settings settings, Instruments instruments) {
        this.settings = settings;
        this.instruments = instruments;
    }

    /** Runs everything; says on standard error what it does. */
    List<Sample> run() throws IOException, InterruptedException {
        List<Job> jobs = jobs();
        Payloads payloads = new Payloads(settings.directory());
        payloads.write(Workload.SMALL_BYTES, Workload.LARGE_BYTES);
        List<Sample> samples = new ArrayList<>();
        for (int repetition = 1; repetition <= settings.repetitions(); repetition++) {
            List<String> order = new ArrayList<>(settings.systems());
            if (repetition % 2 == 0) {
                Collections.reverse(order);
            }
            for (String system : order) {
                samples.addAll(session(system, repetition, jobs, payloads));
            }
        }
        return samples;
    }

    private List<Job> jobs() {
        List<Job> once =
                settings.rows().stream().map(Row::job).distinct().sorted().toList();
        List<Job> jobs = new ArrayList<>(once);
        for (int round = 1; round < settings.kills(); round++) {
            once.stream().filter(Job::kills).forEach(jobs::add);
        }
        return jobs;
    }

    private List<Sample> session(String system, int repetition, List<Job> jobs, Payloads payloads)
            throws IOException, InterruptedException {
        System.err.printf(
                "compare: repetition %d of %d, %s: start and warm-up%n", repetition, settings.repetitions(), system);
        Path directory = settings.directory().resolve(system + "-" + repetition);
        Path logs = Files.createDirectories(settings.directory().resolve("logs-" + system + "-" + repetition));
        try {
            Tool tool = new Tool(instruments.clock(), logs);
            Contender contender = contender(system, directory, tool);
            JobRunner runner = new JobRunner(contender, repetition, settings.workload(), payloads, tool, instruments);
            return new Session(contender, runner, tool, repetition, Comparison::tell).run(jobs);
        } finally {
            if (settings.leftovers() == Settings.Leftovers.REMOVE) {
                removeTree(directory);
            }
        }
    }

    private Contender contender(String system, Path directory, Tool tool) {
        Settings.Installation installation = settings.installation();
        return system.equals("kafka")
                ? new KafkaContender(directory, installation, settings.heaps(), tool, instruments.proc())
                : new TidemarkContender(
                        directory, installation, settings.heaps(), tool, instruments.proc(), settings.zooKeepers());
    }

    private static void tell(Sample sample) {
        String failure = sample.failure();
        if (failure != null) {
            System.err.printf("compare:   %s: FAILED: %s%n", sample.job(), failure);
            return;
        }
        List<String> words = new ArrayList<>();
        sample.values().forEach((metric, value) -> words.add(metric.key() + "=" + metric.format(value)));
        System.err.printf(
                Locale.ROOT,
                "compare:   %s: %s (%.0f s, others %.0f %%)%n",
                sample.job(),
                String.join(" ", words),
                sample.wallSeconds(),
                sample.otherPercent());
    }

    private static void removeTree(Path directory) throws IOException {
        if (!Files.exists(directory)) {
            return;
        }
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }
}
