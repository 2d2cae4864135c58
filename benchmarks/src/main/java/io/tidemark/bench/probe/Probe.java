package io.tidemark.bench.probe;

import io.tidemark.bench.probe.ProbeTarget.SinkSettings;
import io.tidemark.runtime.Clock;
import io.tidemark.runtime.SystemClock;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;

/**
 * A client process of the comparison: {@code Probe kafka|tidemark COMMAND key=value...}. It prints one line of JSON, and ends
 * with 0 if it did what it was told.
 *
 * <pre>
 *   ready     bootstrap brokers seconds          waits until so many brokers are live
 *   create    bootstrap topic partitions replicas
 *   delete    bootstrap topic
 *   latency   bootstrap topic partitions rate linger warmup seconds payload
 *   failover  bootstrap topic replicas case window payload pids=1:4711,2:...
 * </pre>
 */
public final class Probe {
    private static final double NANOS_PER_MS = 1e6;
    private static final Duration LOOK_AGAIN = Duration.ofMillis(200);

    private final Clock clock = new SystemClock();
    private final Arguments arguments;
    private final ProbeTarget target;

    private Probe(Arguments arguments, ProbeTarget target) {
        this.arguments = arguments;
        this.target = target;
    }

    /** Does what its arguments say, and ends the process: no thread of a client may keep it. */
    public static void main(String[] words) {
        int status = 1;
        try {
            Arguments arguments = Arguments.of(List.of(words));
            String bootstrap = arguments.text("bootstrap");
            try (ProbeTarget target =
                    arguments.system().equals("kafka") ? new KafkaTarget(bootstrap) : new TidemarkTarget(bootstrap)) {
                System.out.println(new Probe(arguments, target).run());
            }
            status = 0;
        } catch (Exception failure) {
            System.err.println(
                    "probe: " + failure + (failure.getCause() == null ? "" : ", caused by " + failure.getCause()));
        }
        System.out.flush();
        System.exit(status);
    }

    private String run() throws IOException, ExecutionException, InterruptedException, TimeoutException {
        switch (arguments.command()) {
            case "ready" -> awaitBrokers(arguments.number("brokers"), Duration.ofSeconds(arguments.number("seconds")));
            case "create" ->
                target.createTopic(
                        arguments.text("topic"), arguments.number("partitions"), arguments.number("replicas"));
            case "delete" -> target.deleteTopic(arguments.text("topic"));
            case "latency" -> {
                return latency();
            }
            case "failover" -> {
                return failover();
            }
            default -> throw new IllegalArgumentException("no such command: " + arguments.command());
        }
        return "{}";
    }

    private void awaitBrokers(int wanted, Duration limit) throws InterruptedException {
        long startNs = clock.monotonicNs();
        while (live() < wanted) {
            if (clock.monotonicNs() - startNs > limit.toNanos()) {
                throw new IllegalStateException(
                        "there were no " + wanted + " live brokers within " + limit.toSeconds() + " s");
            }
            LockSupport.parkNanos(LOOK_AGAIN.toNanos());
        }
    }

    private int live() throws InterruptedException {
        try {
            return target.liveBrokers();
        } catch (ExecutionException | TimeoutException notYet) {
            return 0;
        }
    }

    private String latency() throws IOException, InterruptedException {
        FixedRate.Load load = new FixedRate.Load(
                arguments.text("topic"),
                arguments.number("partitions"),
                arguments.number("rate"),
                arguments.number("seconds"));
        try (RecordSink sink = target.open(SinkSettings.ordinary(arguments.number("linger")))) {
            FixedRate rate = new FixedRate(sink, clock, payload(), LockSupport::parkNanos);
            rate.run(load.lasting(arguments.number("warmup")));
            FixedRate.Outcome outcome = rate.run(load);
            return String.format(
                    Locale.ROOT,
                    "{\"recordsPerSecond\":%.1f,\"failed\":%d,\"p50Ms\":%.3f,\"p95Ms\":%.3f,\"p99Ms\":%.3f,"
                            + "\"p99.9Ms\":%.3f,\"maxMs\":%.3f}",
                    outcome.perSecond(),
                    outcome.failed(),
                    outcome.quantileNs(0.5) / NANOS_PER_MS,
                    outcome.quantileNs(0.95) / NANOS_PER_MS,
                    outcome.quantileNs(0.99) / NANOS_PER_MS,
                    outcome.quantileNs(0.999) / NANOS_PER_MS,
                    outcome.quantileNs(1) / NANOS_PER_MS);
        }
    }

    private String failover() throws IOException, ExecutionException, InterruptedException, TimeoutException {
        Failover failover = new Failover(target, clock, this::kill, payload().get(0));
        Failover.Outcome outcome = failover.run(
                Failover.Case.valueOf(arguments.text("case")),
                arguments.text("topic"),
                arguments.number("replicas"),
                Duration.ofSeconds(arguments.number("window")));
        return String.format(
                Locale.ROOT,
                "{\"victim\":%d,\"measuredMs\":%.1f,\"failedTries\":%d}",
                outcome.victim(),
                outcome.measuredNs() < 0 ? -1 : outcome.measuredNs() / NANOS_PER_MS,
                outcome.failedTries());
    }

    private void kill(int broker) {
        boolean killed = Optional.ofNullable(arguments.pids().get(broker))
                .flatMap(ProcessHandle::of)
                .map(ProcessHandle::destroyForcibly)
                .orElse(false);
        if (!killed) {
            throw new IllegalStateException("cannot kill broker " + broker + ": it does not run");
        }
    }

    private List<byte[]> payload() throws IOException {
        return Files.readAllLines(Path.of(arguments.text("payload")), StandardCharsets.US_ASCII).stream()
                .map(line -> line.getBytes(StandardCharsets.US_ASCII))
                .toList();
    }
}
