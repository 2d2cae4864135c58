package io.tidemark.sim.client;

import io.tidemark.checker.CheckOptions;
import io.tidemark.checker.Checker;
import io.tidemark.model.Acks;
import io.tidemark.sim.Trace;
import io.tidemark.sim.plan.ClientPlan;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/**
 * What clients cost a run, for a person who makes them faster: no test. Arguments: first seed, number of seeds. Each line is a run of
 * 12 s without faults: of brokers alone, of brokers with clients that are drained at the end, and the judging of the history.
 */
public final class ClientCost {
    private static final int WARM_UP_RUNS = 100;
    private static final double NS_PER_MS = 1e6;
    private static final Duration LENGTH = Duration.ofSeconds(12);
    private static final List<ClientPlan> PLANS = List.of(
            ClientRun.idempotent(101, 0), ClientRun.plain(102, Acks.ALL, 1), ClientRun.plain(103, Acks.LEADER, 2));

    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    private long runNs;
    private long judgeNs;
    private long events;
    private long acknowledged;
    private long historyEvents;

    private ClientCost() {}

    /** Prints processor time a run, and what was done for it. */
    public static void main(String[] args) {
        long first = args.length > 0 ? Long.parseLong(args[0]) : 1;
        int runs = args.length > 1 ? Integer.parseInt(args[1]) : 100;
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        for (List<ClientPlan> plans : List.of(List.<ClientPlan>of(), PLANS)) {
            new ClientCost().measure(first, WARM_UP_RUNS, plans);
            ClientCost cost = new ClientCost();
            cost.measure(first, runs, plans);
            out.println(String.format(
                    Locale.ROOT,
                    "%d producers: %6.2f ms a run, %d events, %d records acknowledged; judging %5.2f ms, %d events of a history",
                    plans.size(),
                    cost.runNs / NS_PER_MS / runs,
                    cost.events / runs,
                    cost.acknowledged / runs,
                    cost.judgeNs / NS_PER_MS / runs,
                    cost.historyEvents / runs));
        }
    }

    private void measure(long first, int runs, List<ClientPlan> plans) {
        for (long seed = first; seed < first + runs; seed++) {
            long startNs = threads.getCurrentThreadCpuTime();
            ClientRun run = new ClientRun(seed, Trace.OFF).started();
            WorkloadSettings settings =
                    WorkloadSettings.of(ClientRun.TOPIC, ClientRun.PARTITIONS).withConsumers(plans.isEmpty() ? 0 : 2);
            Workload workload = run.workload(settings, plans.toArray(ClientPlan[]::new));
            workload.start();
            run.cluster.run(LENGTH);
            if (!plans.isEmpty()) {
                workload.finish(ClientRun.PATIENCE);
            }
            long endNs = threads.getCurrentThreadCpuTime();
            runNs += endNs - startNs;
            events += run.world.events();
            acknowledged += workload.counts().acknowledged();
            historyEvents += workload.history().eventCount();
            Checker.check(workload.history(), CheckOptions.STRICT);
            judgeNs += threads.getCurrentThreadCpuTime() - endNs;
        }
    }
}
