package io.tidemark.sim.client;

import io.tidemark.client.TidemarkException;
import io.tidemark.client.consumer.Consumer;
import io.tidemark.client.consumer.ConsumerRecord;
import io.tidemark.client.consumer.LogTruncatedException;
import io.tidemark.core.testkit.SeededRandomness;
import io.tidemark.history.Action.Assignment;
import io.tidemark.history.Action.Crash;
import io.tidemark.history.Action.Start;
import io.tidemark.history.Action.Transfer;
import io.tidemark.history.Action.Via;
import io.tidemark.history.RecordedClient;
import io.tidemark.model.TopicPartition;
import java.time.Duration;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * An application that reads all partitions with the consumer that ships, polling all the time. Now and then it reads everything
 * once more from the beginning; it dies, and goes on where it was or as somebody else from the beginning.
 *
 * <p>A poll is over in the moment in which it begins, so it has a known end whatever happens to its client.
 */
final class ConsumerActor {
    private static final int SHORTEST_PAUSE_MS = 10;
    private static final int LONGEST_PAUSE_MS = 150;
    private static final int LONGEST_DOWN_MS = 500;
    /** Polls until it begins anew, on average. */
    private static final int REWIND_ONE_IN = 60;

    private static final int POLLS_OF_AN_OPERATION = 4;

    private final ClientSite site;
    private final int id;
    private final WorkloadSettings settings;
    private final RecordedClient recorded;
    private final Tally tally;
    private final SeededRandomness choices;
    /** Where it goes on, as an application would keep it. */
    private final SortedMap<TopicPartition, Long> positions = new TreeMap<>();

    private int lives;
    private boolean stopping;
    private @Nullable Running running;

    /** A life, and what runs in it. */
    private record Running(ClientLife life, Consumer consumer) {}

    ConsumerActor(ClientSite site, int id, WorkloadSettings settings, RecordedClient recorded, Tally tally) {
        this.site = site;
        this.id = id;
        this.settings = settings;
        this.recorded = recorded;
        this.tally = tally;
        this.choices = site.world().fork("client/" + id);
    }

    int id() {
        return id;
    }

    /** It begins to read from the beginning. */
    void start() {
        rise(Start.BEGINNING);
    }

    private void rise(Start from) {
        if (stopping || running != null) {
            return;
        }
        lives++;
        site.world().note(() -> "client " + id + ": starts");
        ClientLife life = new ClientLife(site, id, lives);
        Running risen = new Running(life, Reading.consumer(site, life));
        running = risen;
        assign(risen.consumer(), from);
        nextTurn(life);
    }

    /** The process dies, and another one begins after a while. */
    void kill() {
        Running dead = running;
        if (dead == null) {
            return;
        }
        site.world().note(() -> "client " + id + ": dies");
        tally.died();
        running = null;
        dead.life().die();
        Start next = choices.oneIn(2) ? Start.KEPT : Start.BEGINNING;
        if (next == Start.BEGINNING) {
            recorded.invoke(new Crash());
            recorded.info(new Crash(), "");
        }
        Duration down = Duration.ofMillis(1L + choices.nextInt(LONGEST_DOWN_MS));
        site.world().scheduler().schedule(down, () -> rise(next));
    }

    /** Reads no more. */
    void end() {
        stopping = true;
        Running last = running;
        running = null;
        if (last != null) {
            last.life().die();
        }
    }

    private void assign(Consumer consumer, Start from) {
        if (from != Start.KEPT) {
            positions.clear();
            positions.putAll(Reading.beginnings(settings));
        }
        Assignment assignment = new Assignment(Via.ASSIGN, settings.partitionNumbers(), from);
        recorded.invoke(assignment);
        consumer.assign(new TreeMap<>(positions));
        recorded.ok(assignment);
    }

    /** Gives everything up before it begins anew: who keeps a partition goes on in it, as every reader of the history has it. */
    private void rewind(Consumer consumer) {
        Assignment nothing = new Assignment(Via.ASSIGN, List.of(), Start.KEPT);
        recorded.invoke(nothing);
        consumer.assign(new TreeMap<>());
        recorded.ok(nothing);
        assign(consumer, Start.BEGINNING);
    }

    private void nextTurn(ClientLife life) {
        long pauseMs = (long) SHORTEST_PAUSE_MS + choices.nextInt(LONGEST_PAUSE_MS - SHORTEST_PAUSE_MS);
        life.after(Duration.ofMillis(pauseMs), this::turn);
    }

    private void turn() {
        Running now = running;
        if (stopping || now == null) {
            return;
        }
        if (settings.deathOneIn() > 0 && choices.oneIn(settings.deathOneIn() * POLLS_OF_AN_OPERATION)) {
            kill();
            return;
        }
        if (choices.oneIn(REWIND_ONE_IN)) {
            rewind(now.consumer());
        } else {
            poll(now.consumer());
        }
        nextTurn(now.life());
    }

    private void poll(Consumer consumer) {
        try {
            List<ConsumerRecord> records = consumer.poll(Duration.ZERO);
            Reading.record(recorded, records);
            records.forEach(
                    record -> tally.read(record.partition().partition(), record.offset(), Reading.valueOf(record)));
            positions.replaceAll((partition, before) -> consumer.position(partition));
        } catch (LogTruncatedException cut) {
            SortedMap<Integer, Long> cuts = new TreeMap<>();
            cuts.put(cut.partition().partition(), cut.firstDivergingOffset());
            failed(Reading.ASKED.toldOf(cuts), cut);
            rewind(consumer);
        } catch (TidemarkException refused) {
            failed(Reading.ASKED, refused);
            positions.forEach(consumer::seek);
        }
    }

    private void failed(Transfer poll, RuntimeException why) {
        site.world().note(() -> "client " + id + ": cannot read: " + why.getMessage());
        recorded.invoke(Reading.ASKED);
        recorded.fail(poll, String.valueOf(why.getMessage()));
    }
}
