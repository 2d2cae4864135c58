package io.tidemark.sim.client;

import io.tidemark.client.TidemarkException;
import io.tidemark.client.consumer.Consumer;
import io.tidemark.client.consumer.LogTruncatedException;
import io.tidemark.history.Action.Assignment;
import io.tidemark.history.Action.Start;
import io.tidemark.history.Action.Via;
import io.tidemark.history.RecordedClient;
import io.tidemark.model.TopicPartition;
import io.tidemark.replication.partition.Partition;
import io.tidemark.replication.partition.PartitionView;
import io.tidemark.sim.SimHost;
import io.tidemark.sim.SimProcess;
import java.time.Duration;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The last reader of a run: after everything was healed, it reads each partition from the beginning to its end, and what it is not
 * given is gone. It waits until each partition has a leader whose log is committed to its end, and reaches as far as readers and
 * producers were told.
 *
 * <p>If a leader's log is shorter than that for as long as it may wait, the read ends there and is judged: something is lost. If it
 * could not read as far as the leaders' logs go, nothing can be said, and the history says that it was interrupted.
 */
public final class FinalDrain {
    private static final Duration POLL_INTERVAL = Duration.ofMillis(20);

    private final ClientSite site;
    private final int id;
    private final WorkloadSettings settings;
    private final RecordedClient recorded;
    private final Tally tally;
    private final SortedMap<TopicPartition, Long> beginnings;
    private @Nullable Reader reader;

    /**
     * What came of it.
     *
     * @param behind by partition the offset at which reading got stuck before the end of the leader's log, or without a leader;
     *     empty if everything was read
     */
    public record Drained(SortedMap<TopicPartition, Long> behind) {
        public Drained {
            behind = Collections.unmodifiableSortedMap(behind);
        }

        /** Whether what was not read is lost for certain. */
        public boolean isWhole() {
            return behind.isEmpty();
        }
    }

    FinalDrain(ClientSite site, int id, WorkloadSettings settings, RecordedClient recorded, Tally tally) {
        this.site = site;
        this.id = id;
        this.settings = settings;
        this.recorded = recorded;
        this.tally = tally;
        this.beginnings = Reading.beginnings(settings);
    }

    /** Lets time pass until everything was read, at most twice that long; to be called once. */
    public Drained run(Duration limit) {
        site.world().runUntil(this::isSettled, limit);
        Reader started = new Reader();
        reader = started;
        started.start();
        site.world().runUntil(this::isRead, limit);
        started.life.die();
        SortedMap<TopicPartition, Long> behind = behind(started.consumer);
        if (!behind.isEmpty()) {
            recorded.invoke(Reading.ASKED);
            recorded.info(Reading.ASKED, "stuck at " + behind);
        }
        return new Drained(behind);
    }

    private boolean isSettled() {
        return beginnings.keySet().stream()
                .allMatch(partition -> leader(partition)
                        .filter(leader -> leader.view().highWatermark() == endOf(leader))
                        .filter(leader -> endOf(leader) >= tally.committedEnd(partition.partition()))
                        .isPresent());
    }

    private boolean isRead() {
        Reader started = reader;
        return started != null
                && behind(started.consumer).isEmpty()
                && beginnings.keySet().stream()
                        .allMatch(partition ->
                                started.consumer.position(partition) >= tally.committedEnd(partition.partition()));
    }

    private SortedMap<TopicPartition, Long> behind(Consumer consumer) {
        SortedMap<TopicPartition, Long> behind = new TreeMap<>();
        for (TopicPartition partition : beginnings.keySet()) {
            long position = consumer.position(partition);
            boolean isAtEnd = leader(partition)
                    .filter(leader -> position >= endOf(leader))
                    .isPresent();
            if (!isAtEnd) {
                behind.put(partition, position);
            }
        }
        return behind;
    }

    /** The replica that leads in the highest leader epoch. */
    private Optional<Partition> leader(TopicPartition name) {
        Partition leader = null;
        for (SimHost host : site.hosts().values()) {
            SimProcess process = host.process();
            Partition replica = process == null
                    ? null
                    : process.replication().local().partition(name).orElse(null);
            if (replica != null && leads(replica) && (leader == null || epochOf(replica) > epochOf(leader))) {
                leader = replica;
            }
        }
        return Optional.ofNullable(leader);
    }

    private static boolean leads(Partition replica) {
        return replica.view().role() == PartitionView.Role.LEADER;
    }

    private static int epochOf(Partition replica) {
        return replica.view().leaderEpoch();
    }

    private static long endOf(Partition replica) {
        return replica.log().end().offset();
    }

    /** The process that reads. */
    private final class Reader {
        private final ClientLife life = new ClientLife(site, id, 1);
        private final Consumer consumer = Reading.consumer(site, life);

        void start() {
            Assignment assignment = new Assignment(Via.ASSIGN, settings.partitionNumbers(), Start.FINAL_READ);
            recorded.invoke(assignment);
            consumer.assign(beginnings);
            recorded.ok(assignment);
            life.after(POLL_INTERVAL, this::poll);
        }

        private void poll() {
            try {
                Reading.record(recorded, consumer.poll(Duration.ZERO));
            } catch (LogTruncatedException cut) {
                SortedMap<Integer, Long> cuts = new TreeMap<>();
                cuts.put(cut.partition().partition(), cut.firstDivergingOffset());
                recorded.invoke(Reading.ASKED);
                recorded.fail(Reading.ASKED.toldOf(cuts), String.valueOf(cut.getMessage()));
                consumer.seek(cut.partition(), cut.firstDivergingOffset());
            } catch (TidemarkException refused) {
                site.world().note(() -> "final read: " + refused.getMessage());
                beginnings.keySet().forEach(partition -> consumer.seek(partition, consumer.position(partition)));
            }
            life.after(POLL_INTERVAL, this::poll);
        }
    }
}
