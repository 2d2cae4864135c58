package io.tidemark.sim.client;

import io.tidemark.history.EventSink;
import io.tidemark.history.History;
import io.tidemark.history.HistoryBuilder;
import io.tidemark.history.HistoryRecorder;
import io.tidemark.history.RecordedClient;
import io.tidemark.sim.plan.ClientPlan;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/**
 * All clients of a run, and the history of what they saw. Producers write as their plans say, consumers read everything meanwhile;
 * at the end, when faults are over, {@link #finish} reads everything once more.
 *
 * <p>No call blocks; all but {@link #finish} return before anything happened, and that one lets time pass.
 */
public final class Workload {
    /** Consumers' ids begin here; producers' are below. */
    public static final int FIRST_CONSUMER = 1_000;

    private static final int THREADS_OF_A_PRODUCER = 2;
    private static final int MOST_CONSUMERS = 100;
    private static final int DRAIN = FIRST_CONSUMER + MOST_CONSUMERS;
    /** Far more than a run of minutes makes. */
    private static final long MOST_EVENTS = 1_000_000;

    private final ClientSite site;
    private final WorkloadSettings settings;
    private final HistoryBuilder history = new HistoryBuilder();
    private final HistoryRecorder recorder;
    private final Tally tally;
    private final List<ProducerActor> producers = new ArrayList<>();
    private final List<ConsumerActor> consumers = new ArrayList<>();
    private final RecordedClient lastReader;

    /**
     * Makes clients that do nothing yet.
     *
     * @param plans one for each producer; ids differ, and are below {@link #FIRST_CONSUMER}
     * @param events given each event of the history as it happens, too: a file, or nothing
     * @param observer told of each acknowledgement that names an offset
     */
    public Workload(
            ClientSite site,
            WorkloadSettings settings,
            List<ClientPlan> plans,
            EventSink events,
            ClientObserver observer) {
        requireFitting(settings, plans);
        this.site = site;
        this.settings = settings;
        EventSink memory = EventSink.into(history);
        this.recorder = new HistoryRecorder(
                site.world().clock(),
                event -> {
                    memory.accept(event);
                    events.accept(event);
                },
                MOST_EVENTS);
        this.tally = new Tally(site.world(), observer);
        int threads = plans.size() * THREADS_OF_A_PRODUCER + settings.consumers() + 1;
        int next = 0;
        for (ClientPlan plan : plans) {
            List<RecordedClient> mine = new ArrayList<>();
            for (int i = 0; i < THREADS_OF_A_PRODUCER; i++) {
                mine.add(new RecordedClient(recorder, next, threads));
                next++;
            }
            producers.add(new ProducerActor(site, plan, settings, mine, tally));
        }
        for (int i = 0; i < settings.consumers(); i++) {
            RecordedClient mine = new RecordedClient(recorder, next, threads);
            next++;
            consumers.add(new ConsumerActor(site, FIRST_CONSUMER + i, settings, mine, tally));
        }
        this.lastReader = new RecordedClient(recorder, next, threads);
    }

    private static void requireFitting(WorkloadSettings settings, List<ClientPlan> plans) {
        TreeSet<Integer> ids = new TreeSet<>();
        for (ClientPlan plan : plans) {
            boolean fits = plan.id() > 0 && plan.id() < FIRST_CONSUMER && plan.partition() < settings.partitions();
            if (!fits || !ids.add(plan.id())) {
                throw new IllegalArgumentException("a client that is there already, or does not fit: " + plan);
            }
        }
        if (settings.consumers() > MOST_CONSUMERS) {
            throw new IllegalArgumentException(settings.consumers() + " consumers");
        }
    }

    /** All clients begin. */
    public void start() {
        producers.forEach(ProducerActor::start);
        consumers.forEach(ConsumerActor::start);
    }

    /** The client dies, and comes back after a while; nothing happens if it is dead, or none has that id. */
    public void kill(int clientId) {
        producers.stream().filter(producer -> producer.id() == clientId).forEach(ProducerActor::kill);
        consumers.stream().filter(consumer -> consumer.id() == clientId).forEach(ConsumerActor::kill);
    }

    /** A fault, for whoever reads the history. */
    public void note(String fault, List<String> names) {
        recorder.note(fault, names);
    }

    /** Producers begin nothing any more; what is under way goes on. */
    public void stop() {
        producers.forEach(ProducerActor::stop);
    }

    /** Whether no producer waits for an answer. */
    public boolean isIdle() {
        return producers.stream().allMatch(ProducerActor::isIdle);
    }

    /**
     * Waits for the answers to what is under way, ends all clients, and reads everything. To be called once, after everything
     * was healed.
     *
     * @param limit of each of the three waits: for answers, for leaders, for the end of the reading
     */
    public FinalDrain.Drained finish(Duration limit) {
        stop();
        site.world().runUntil(this::isIdle, limit);
        producers.forEach(ProducerActor::end);
        consumers.forEach(ConsumerActor::end);
        return new FinalDrain(site, DRAIN, settings, lastReader, tally).run(limit);
    }

    /** What happened so far. */
    public History history() {
        return history.build();
    }

    /** How much happened so far. */
    public WorkloadCounts counts() {
        return tally.counts();
    }
}
