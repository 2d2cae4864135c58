package io.tidemark.sim.client;

import io.tidemark.client.TidemarkException;
import io.tidemark.client.producer.Producer;
import io.tidemark.client.producer.ProducerConfig;
import io.tidemark.client.producer.ProducerConfig.Limits;
import io.tidemark.client.producer.ProducerConfig.Times;
import io.tidemark.client.producer.ProducerRecord;
import io.tidemark.core.testkit.SeededRandomness;
import io.tidemark.history.Phase;
import io.tidemark.history.RecordedClient;
import io.tidemark.history.SendMode;
import io.tidemark.history.Step.Send;
import io.tidemark.record.Codec;
import io.tidemark.sim.client.WorkloadSettings.Keys;
import io.tidemark.sim.plan.ClientPlan;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * An application that writes with the producer that ships: some threads, of which each sends a few records at once, waits until all
 * are answered, and goes on after a while. It dies now and then, and comes back with a new producer.
 *
 * <p>A thread whose send ended unknown goes on as a new process of the history, on the same producer.
 */
final class ProducerActor {
    private static final int MOST_AT_ONCE = 3;
    private static final int KEYS = 5;
    private static final int LONGEST_DOWN_MS = 500;
    private static final Duration LINGER = Duration.ofMillis(1);
    /** Each record in a batch of its own: several are in flight at once. */
    private static final int SMALL_BATCH_BYTES = 64;

    private static final int LARGE_BATCH_BYTES = 1_024;
    private static final long BUFFER_BYTES = 1 << 20;
    private static final int MOST_IN_FLIGHT = 5;
    private static final long NS_PER_SECOND = 1_000_000_000L;
    private static final int NS_PER_US = 1_000;

    private final ClientSite site;
    private final ClientPlan plan;
    private final WorkloadSettings settings;
    private final Tally tally;
    private final SeededRandomness choices;
    private final SendMode mode;
    private final List<Sending> threads = new ArrayList<>();
    private int lives;
    private long records;
    private boolean stopping;
    private @Nullable Running running;

    /** A life, and what runs in it. */
    private record Running(ClientLife life, Producer producer) {}

    /** @param threads of the history that it is to be, at least one */
    ProducerActor(
            ClientSite site, ClientPlan plan, WorkloadSettings settings, List<RecordedClient> threads, Tally tally) {
        this.site = site;
        this.plan = plan;
        this.settings = settings;
        this.tally = tally;
        this.choices = site.world().fork("client/" + plan.id());
        this.mode = mode(plan);
        threads.forEach(thread -> this.threads.add(new Sending(thread)));
    }

    private static SendMode mode(ClientPlan plan) {
        SendMode.Acks acks = switch (plan.acks()) {
            case ALL -> SendMode.Acks.ALL;
            case LEADER -> SendMode.Acks.LEADER;
            case NONE -> SendMode.Acks.NONE;
        };
        boolean isIdempotent = plan.idempotence() == ProducerConfig.Idempotence.ON;
        return new SendMode(acks, isIdempotent ? SendMode.Idempotence.ON : SendMode.Idempotence.OFF);
    }

    int id() {
        return plan.id();
    }

    /** It begins, or comes back after a death. */
    void start() {
        if (stopping || running != null) {
            return;
        }
        lives++;
        note("starts");
        ClientLife life = new ClientLife(site, plan.id(), lives);
        running = new Running(life, new Producer(config(), life.runtime(), life.transport(), () -> {}));
        threads.forEach(Sending::goOn);
    }

    /** The process dies with all that is under way, and another one begins after a while. */
    void kill() {
        Running dead = running;
        if (dead == null) {
            return;
        }
        note("dies");
        tally.died();
        running = null;
        dead.life().die();
        threads.forEach(Sending::lost);
        Duration down = Duration.ofMillis(1L + choices.nextInt(LONGEST_DOWN_MS));
        site.world().scheduler().schedule(down, this::start);
    }

    /** Begins no more operations. */
    void stop() {
        stopping = true;
    }

    /** Whether no operation is under way. */
    boolean isIdle() {
        return threads.stream().allMatch(thread -> thread.round == null);
    }

    /** Ends for good; what is under way has an unknown end. */
    void end() {
        stopping = true;
        Running last = running;
        running = null;
        if (last != null) {
            last.life().die();
        }
        threads.forEach(Sending::lost);
    }

    private ProducerConfig config() {
        int batchBytes = choices.oneIn(2) ? SMALL_BATCH_BYTES : LARGE_BATCH_BYTES;
        return new ProducerConfig(
                site.bootstrap(),
                plan.acks(),
                plan.idempotence(),
                Codec.NONE,
                new Limits(batchBytes, LARGE_BATCH_BYTES, BUFFER_BYTES, MOST_IN_FLIGHT),
                new Times(
                        LINGER,
                        settings.times().request(),
                        settings.times().delivery(),
                        settings.times().request()));
    }

    private void note(String what) {
        site.world().note(() -> "client " + plan.id() + ": " + what);
    }

    /** One thread of the application. */
    private final class Sending {
        private final RecordedClient recorded;
        private @Nullable SendRound round;

        Sending(RecordedClient recorded) {
            this.recorded = recorded;
        }

        /** The next operation begins after a while. */
        void goOn() {
            Running now = running;
            if (now != null && !stopping) {
                now.life().after(pause(), this::send);
            }
        }

        private Duration pause() {
            long meanNs = NS_PER_SECOND * (1 + MOST_AT_ONCE) / 2 * threads.size() / plan.recordsPerSecond();
            int spreadUs = (int) Math.min(Integer.MAX_VALUE, 1 + 2 * meanNs / NS_PER_US);
            return Duration.ofNanos((long) choices.nextInt(spreadUs) * NS_PER_US);
        }

        private void send() {
            Running now = running;
            if (stopping || now == null) {
                return;
            }
            if (settings.deathOneIn() > 0 && choices.oneIn(settings.deathOneIn())) {
                kill();
                return;
            }
            SendRound begun = new SendRound(draw(), mode);
            round = begun;
            recorded.invoke(begun.begun());
            note(() -> "sends " + values(begun) + " to partition " + plan.partition());
            for (int i = 0; i < begun.sends().size(); i++) {
                send(now, begun, i);
            }
        }

        private List<Send> draw() {
            List<Send> sends = new ArrayList<>();
            int count = 1 + choices.nextInt(MOST_AT_ONCE);
            for (int i = 0; i < count; i++) {
                long value = plan.id() * RecordValues.OF_ONE_CLIENT + records;
                records++;
                long key = settings.keys() == Keys.NONE ? Send.NO_RECORD_KEY : choices.nextInt(KEYS);
                sends.add(new Send(plan.partition(), value, Send.UNKNOWN_OFFSET, key));
            }
            return sends;
        }

        /** Its answer is taken in a task of its own: whatever a callback throws is nobody's to hear. */
        private void send(Running by, SendRound begun, int number) {
            Send send = begun.sends().get(number);
            tally.sent(send.value());
            try {
                var unused = by.producer()
                        .trySend(
                                record(send),
                                (partition, offset, failure) ->
                                        by.life().soon(() -> answered(begun, number, SendOutcome.of(offset, failure))));
            } catch (TidemarkException notTaken) {
                answered(begun, number, SendOutcome.of(-1, notTaken));
            }
        }

        private ProducerRecord record(Send send) {
            return new ProducerRecord(
                    settings.topic(),
                    plan.partition(),
                    null,
                    send.hasRecordKey() ? RecordValues.key(send.recordKey()) : null,
                    RecordValues.value(send.value()),
                    List.of());
        }

        private void answered(SendRound of, int number, SendOutcome outcome) {
            of.answered(number, outcome);
            long value = of.sends().get(number).value();
            tally.answered(plan, outcome, value);
            note(() -> value + " " + outcome.phase().label() + " " + outcome.offset() + " " + outcome.error());
            if (of.isComplete()) {
                ended(of);
            }
        }

        private void ended(SendRound of) {
            round = null;
            Phase phase = SendOutcome.together(of.outcomes());
            String error = SendOutcome.firstError(of.outcomes());
            switch (phase) {
                case OK -> recorded.ok(of.known());
                case FAIL -> recorded.fail(of.known(), error);
                default -> recorded.info(of.known(), error);
            }
            goOn();
        }

        /** Nobody will hear what became of the operation that is under way, if one is. */
        void lost() {
            SendRound begun = round;
            if (begun != null) {
                round = null;
                recorded.info(begun.known(), "the client died");
            }
        }

        private void note(Supplier<String> what) {
            site.world().note(() -> "client " + plan.id() + ", process " + recorded.process() + ": " + what.get());
        }

        private List<Long> values(SendRound begun) {
            return begun.sends().stream().map(Send::value).toList();
        }
    }
}
