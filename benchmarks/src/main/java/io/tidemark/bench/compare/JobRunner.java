package io.tidemark.bench.compare;

import com.google.gson.JsonObject;
import io.tidemark.bench.compare.CpuMeter.Usage;
import io.tidemark.bench.compare.Workload.Produce;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;

/** Runs jobs on one running cluster. Each has a topic of its own, which is deleted afterwards. */
final class JobRunner {
    private static final double BYTES_PER_GB = 1e9;
    private static final double BYTES_PER_MIB = 1024 * 1024;
    private static final Duration ADMIN_LIMIT = Duration.ofMinutes(1);
    private static final Duration FULL_SPEED_LIMIT = Duration.ofMinutes(4);
    /** Beyond the time that a probe is told to measure for. */
    private static final Duration PROBE_SLACK = Duration.ofSeconds(200);

    /** Tidemark takes a broker for dead at once at most once a minute; what is measured is a first death. */
    private static final Duration BETWEEN_KILLS = Duration.ofSeconds(65);

    private final Contender contender;
    private final int repetition;
    private final Workload workload;
    private final Payloads payloads;
    private final Tool tool;
    private final Instruments instruments;
    private OptionalLong lastKillNs = OptionalLong.empty();

    /** What a measured client printed, and what the machine did meanwhile. */
    private record Measured(List<String> output, Usage usage) {}

    JobRunner(
            Contender contender,
            int repetition,
            Workload workload,
            Payloads payloads,
            Tool tool,
            Instruments instruments) {
        this.contender = contender;
        this.repetition = repetition;
        this.workload = workload;
        this.payloads = payloads;
        this.tool = tool;
        this.instruments = instruments;
    }

    /** What a fresh cluster gets before anything is measured. */
    void warmUp() throws IOException, InterruptedException {
        createTopic("warm-up", Workload.PARTITIONS);
        for (Produce load : workload.warmUp()) {
            contender.produced(tool.run(
                    "warm-up",
                    contender.produceCommand(load, "warm-up", payloads.file(load.recordBytes())),
                    FULL_SPEED_LIMIT));
        }
        deleteTopic("warm-up");
    }

    /** Runs a job; a failure is a sample too. */
    Sample run(Job job) throws IOException, InterruptedException {
        try {
            return switch (job) {
                case PRODUCE_100B_16K -> produce(job, workload.small16K());
                case PRODUCE_100B_256K -> produce(job, workload.small256K());
                case PRODUCE_1K_16K -> produce(job, workload.large16K());
                case PRODUCE_1K_256K -> produce(job, workload.large256K());
                case LATENCY_10K -> latency(job, 10_000, 0);
                case LATENCY_10K_LINGER -> latency(job, 10_000, 5);
                case LATENCY_1K -> latency(job, 1_000, 0);
                case CONSUME_1K -> consume(job);
                case MEMORY -> memory(job);
                case FAILOVER_LEADER -> failover(job, "LEADER");
                case FAILOVER_CONTROLLER -> failover(job, "LEADER_AND_CONTROLLER");
                case FAILOVER_FOLLOWER -> failover(job, "FOLLOWER");
            };
        } catch (JobFailure failure) {
            return Sample.failed(contender.name(), repetition, job, String.valueOf(failure.getMessage()));
        }
    }

    private Sample produce(Job job, Produce load) throws IOException, InterruptedException {
        createTopic(topic(job), Workload.PARTITIONS);
        Measured measured = measure(
                job, contender.produceCommand(load, topic(job), payloads.file(load.recordBytes())), FULL_SPEED_LIMIT);
        deleteTopic(topic(job));
        return throughput(job, contender.produced(measured.output()), load, measured.usage());
    }

    private Sample consume(Job job) throws IOException, InterruptedException {
        Produce load = workload.consumeFill();
        createTopic(topic(job), Workload.PARTITIONS);
        contender.produced(tool.run(
                "fill",
                contender.produceCommand(load, topic(job), payloads.file(load.recordBytes())),
                FULL_SPEED_LIMIT));
        Measured measured = measure(job, contender.consumeCommand(topic(job), load.records()), FULL_SPEED_LIMIT);
        deleteTopic(topic(job));
        return throughput(job, contender.consumed(measured.output()), load, measured.usage());
    }

    private Sample throughput(Job job, double recordsPerSecond, Produce load, Usage usage) {
        double gigabytes = load.totalBytes() / BYTES_PER_GB;
        return sample(
                job,
                Map.of(
                        Metric.RECORDS_PER_SECOND,
                        recordsPerSecond,
                        Metric.MEBIBYTES_PER_SECOND,
                        recordsPerSecond * load.recordBytes() / BYTES_PER_MIB,
                        Metric.BROKER_CPU_SECONDS_PER_GB,
                        usage.clusterSeconds() / gigabytes,
                        Metric.CLIENT_CPU_SECONDS_PER_GB,
                        usage.clientSeconds() / gigabytes),
                usage);
    }

    private Sample latency(Job job, int rate, int lingerMs) throws IOException, InterruptedException {
        createTopic(topic(job), Workload.PARTITIONS);
        Map<String, String> arguments = new TreeMap<>();
        arguments.put("topic", topic(job));
        arguments.put("partitions", Integer.toString(Workload.PARTITIONS));
        arguments.put("rate", Integer.toString(rate));
        arguments.put("linger", Integer.toString(lingerMs));
        arguments.put("warmup", Integer.toString(workload.latencyWarmUpSeconds()));
        arguments.put("seconds", Integer.toString(workload.latencySeconds()));
        arguments.put("payload", payloads.file(Workload.LARGE_BYTES).toString());
        Duration limit = PROBE_SLACK.plusSeconds(workload.latencyWarmUpSeconds() + workload.latencySeconds());
        Measured measured = measure(job, contender.probeCommand("latency", arguments), limit);
        deleteTopic(topic(job));
        JsonObject told = LastJson.of(measured.output());
        if (told.get("failed").getAsInt() != 0) {
            throw new JobFailure("records failed: " + told);
        }
        return sample(
                job,
                valuesOf(
                        told,
                        Metric.RECORDS_PER_SECOND,
                        Metric.P50_MS,
                        Metric.P95_MS,
                        Metric.P99_MS,
                        Metric.P999_MS,
                        Metric.MAX_MS),
                measured.usage());
    }

    private Sample failover(Job job, String kind) throws IOException, InterruptedException {
        createTopic(topic(job), Workload.FAILOVER_PARTITIONS);
        List<String> pids = new ArrayList<>();
        contender.brokerPids().forEach((id, pid) -> pids.add(id + ":" + pid));
        Map<String, String> arguments = new TreeMap<>();
        arguments.put("topic", topic(job));
        arguments.put("replicas", Integer.toString(Workload.REPLICAS));
        arguments.put("case", kind);
        arguments.put("window", Integer.toString(workload.failoverWindowSeconds()));
        arguments.put("payload", payloads.file(Workload.LARGE_BYTES).toString());
        arguments.put("pids", String.join(",", pids));
        Measured measured;
        awaitNextKill();
        try {
            Duration limit = PROBE_SLACK.plusSeconds(workload.failoverWindowSeconds());
            measured = measure(job, contender.probeCommand("failover", arguments), limit);
        } finally {
            lastKillNs = OptionalLong.of(instruments.clock().monotonicNs());
            restartTheDead();
        }
        deleteTopic(topic(job));
        JsonObject told = LastJson.of(measured.output());
        if (told.get("measuredMs").getAsDouble() < 0) {
            throw new JobFailure("nothing was acknowledged after the kill: " + told);
        }
        return sample(job, valuesOf(told, Metric.MEASURED_MS, Metric.FAILED_TRIES), measured.usage());
    }

    private void awaitNextKill() {
        if (lastKillNs.isPresent()) {
            long sinceNs = instruments.clock().monotonicNs() - lastKillNs.getAsLong();
            LockSupport.parkNanos(BETWEEN_KILLS.toNanos() - sinceNs);
        }
    }

    private void restartTheDead() throws IOException, InterruptedException {
        for (Map.Entry<Integer, Long> broker : new TreeMap<>(contender.brokerPids()).entrySet()) {
            if (instruments.proc().commandLine(broker.getValue()).isEmpty()) {
                contender.restart(broker.getKey());
            }
        }
    }

    private Sample memory(Job job) {
        Map<Metric, Double> values = new EnumMap<>(Metric.class);
        values.put(
                Metric.BROKER_RSS_MIB,
                peakRssMib(contender.brokerPids().values()).orElseThrow(() -> new JobFailure("no broker runs")));
        peakRssMib(contender.coordinationPids())
                .ifPresent(mebibytes -> values.put(Metric.COORDINATION_RSS_MIB, mebibytes));
        return new Sample(contender.name(), repetition, job, values, 0, 0, null);
    }

    private OptionalDouble peakRssMib(Collection<Long> pids) {
        return pids.stream()
                .map(instruments.proc()::peakRssMib)
                .filter(OptionalDouble::isPresent)
                .mapToDouble(OptionalDouble::getAsDouble)
                .max();
    }

    private Measured measure(Job job, List<String> command, Duration limit) throws IOException, InterruptedException {
        instruments.awaitQuiet(this::clusterPids);
        CpuMeter meter = instruments.meter(this::clusterPids);
        List<String> output = tool.run(topic(job), command, limit, meter::sample);
        return new Measured(output, meter.usage());
    }

    private Collection<Long> clusterPids() {
        Collection<Long> pids = new ArrayList<>(contender.brokerPids().values());
        pids.addAll(contender.coordinationPids());
        return pids;
    }

    private Sample sample(Job job, Map<Metric, Double> values, Usage usage) {
        return new Sample(contender.name(), repetition, job, values, usage.wallSeconds(), usage.otherPercent(), null);
    }

    private static Map<Metric, Double> valuesOf(JsonObject told, Metric... metrics) {
        Map<Metric, Double> values = new EnumMap<>(Metric.class);
        for (Metric metric : metrics) {
            values.put(metric, told.get(metric.key()).getAsDouble());
        }
        return values;
    }

    private static String topic(Job job) {
        return job.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private void createTopic(String topic, int partitions) throws IOException, InterruptedException {
        Map<String, String> arguments = Map.of(
                "topic", topic,
                "partitions", Integer.toString(partitions),
                "replicas", Integer.toString(Workload.REPLICAS));
        tool.run("create", contender.probeCommand("create", arguments), ADMIN_LIMIT);
    }

    /** A topic that stays costs room and nothing else: the figure that was measured on it counts. */
    private void deleteTopic(String topic) throws IOException, InterruptedException {
        try {
            tool.run("delete", contender.probeCommand("delete", Map.of("topic", topic)), ADMIN_LIMIT);
        } catch (JobFailure failure) {
            System.err.println("compare: topic " + topic + " stays: " + failure.getMessage());
        }
    }
}
