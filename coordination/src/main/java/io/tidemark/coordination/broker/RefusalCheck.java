package io.tidemark.coordination.broker;

import io.tidemark.coordination.broker.PeerProbe.Outcome;
import io.tidemark.model.Endpoint;
import io.tidemark.runtime.Clock;
import io.tidemark.runtime.Scheduler;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * Whether an address refuses two connections within 100 ms, by the view of one broker. Two, since one refusal may be the
 * moment between two processes of one broker. A broker listens before it registers and deregisters before it closes, so a
 * registered one that refuses twice has ended without a word. Thread-safe.
 *
 * <pre>
 *   first       second, 40 ms later               outcome
 *   REFUSED     REFUSED, within 100 ms            REFUSED
 *   REFUSED     REFUSED, later                    UNKNOWN   (this process or its machine was held up)
 *   REFUSED     CONNECTED or UNKNOWN              that
 *   CONNECTED or UNKNOWN                          that
 * </pre>
 */
public final class RefusalCheck {
    /** In which both connections have to be refused. */
    public static final Duration WINDOW = Duration.ofMillis(100);

    private static final Duration PAUSE = Duration.ofMillis(40);

    private final PeerProbe probe;
    private final Scheduler scheduler;
    private final Clock clock;

    public RefusalCheck(PeerProbe probe, Scheduler scheduler, Clock clock) {
        this.probe = probe;
        this.scheduler = scheduler;
        this.clock = clock;
    }

    /** Gives the outcome once, on any thread. */
    public void run(Endpoint at, Consumer<Outcome> outcome) {
        long begunNs = clock.monotonicNs();
        probe.connect(at, first -> {
            if (first == Outcome.REFUSED) {
                scheduler.schedule(
                        PAUSE,
                        () -> probe.connect(at, second -> outcome.accept(inTime(begunNs) ? second : late(second))));
            } else {
                outcome.accept(first);
            }
        });
    }

    private boolean inTime(long begunNs) {
        return clock.monotonicNs() - begunNs <= WINDOW.toNanos();
    }

    private static Outcome late(Outcome second) {
        return second == Outcome.REFUSED ? Outcome.UNKNOWN : second;
    }
}
