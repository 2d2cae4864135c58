package io.tidemark.system.threebrokers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Partitions to which nothing happens. */
final class IdlePartitionsIT extends ThreeBrokersIT {
    private static final int FEW = 20;
    private static final int MANY = 2_000;
    /** A topic has 1,000 partitions at most. */
    private static final int TOPICS = 2;

    private static final Duration SETTLE = Duration.ofSeconds(40);
    private static final Duration MEASURE = Duration.ofSeconds(30);

    // Issue 5 (must show 7): 2,000 idle partitions over three brokers cost at most twice the CPU of 20, since followers
    // name in their
    // sessions only
    // what changed, and no timer belongs to a partition.
    // Fails if: FetcherState names every partition in each request.
    @Test
    @Tag("slow")
    @Timeout(value = 10, unit = TimeUnit.MINUTES)
    void shouldCostLittleMoreWithManyIdlePartitionsThanWithFew() throws Exception {
        // given
        start(FEW, Map.of());
        SortedMap<String, Long> few = idle();

        // when
        for (int topic = 0; topic < TOPICS; topic++) {
            String name = "more-" + topic;
            brokers.createTopic(name, (MANY - FEW) / TOPICS, Map.of("min.insync.replicas", "2"));
            await().atMost(Duration.ofMinutes(2))
                    .pollInterval(Duration.ofSeconds(1))
                    .ignoreExceptionsInstanceOf(ExecutionException.class)
                    .until(() -> inSync(name) == (MANY - FEW) / TOPICS);
        }
        SortedMap<String, Long> many = idle();

        // then
        assertThat(sum(many)).as("%s with many, %s with few", many, few).isLessThanOrEqualTo(2 * sum(few));
        requireNoHalt();
    }

    private long inSync(String topic) throws Exception {
        return brokers.describe(topic).topics().get(topic).partitions().values().stream()
                .filter(partition -> partition.isr().size() == 3)
                .count();
    }

    private static long sum(SortedMap<String, Long> cpuMs) {
        return cpuMs.values().stream().mapToLong(Long::longValue).sum();
    }

    /** Milliseconds of CPU that the threads used while nothing happened for a while, by name without numbers. */
    private static SortedMap<String, Long> idle() {
        pass(SETTLE);
        SortedMap<Long, Long> before = cpuNs();
        pass(MEASURE);
        SortedMap<String, Long> used = new TreeMap<>();
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        cpuNs().forEach((id, ns) -> {
            long ms = TimeUnit.NANOSECONDS.toMillis(ns - before.getOrDefault(id, 0L));
            var thread = threads.getThreadInfo(id);
            if (thread != null && ms > 0) {
                used.merge(thread.getThreadName().replaceAll("[0-9]+", "n"), ms, Long::sum);
            }
        });
        System.out.println("cpu ms: " + used);
        return used;
    }

    private static void pass(Duration time) {
        await().pollDelay(time).atMost(time.plusSeconds(5)).until(() -> true);
    }

    private static SortedMap<Long, Long> cpuNs() {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        SortedMap<Long, Long> used = new TreeMap<>();
        for (long id : threads.getAllThreadIds()) {
            long ns = threads.getThreadCpuTime(id);
            if (ns >= 0) {
                used.put(id, ns);
            }
        }
        return used;
    }
}
