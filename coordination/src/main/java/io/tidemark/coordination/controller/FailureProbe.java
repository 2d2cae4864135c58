package io.tidemark.coordination.controller;

import io.tidemark.coordination.broker.PeerProbe.Outcome;
import io.tidemark.coordination.broker.PeerProbe.Suspect;
import io.tidemark.model.BrokerRegistration;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Whether a broker whose stream broke is dead: the steps to that verdict (DESIGN section 6, fast detection). Pure; for one
 * suspicion, on one loop.
 *
 * <pre>
 *   asked of                   answer                        then
 *   own check of the suspect   refused                       the first other's opinion; DEAD if there is no other broker
 *                              connected, unknown            NOT_PROVEN
 *   an other's opinion         refused                       DEAD
 *                              connected, unknown            NOT_PROVEN
 *                              silence                       own check of that other
 *   own check of that other    refused                       it is dead, too: the next other's opinion; without one DEAD if
 *                                                            all others were refused, else NOT_PROVEN
 *                              connected, unknown            the next other's opinion; NOT_PROVEN without one
 * </pre>
 *
 * <p>So a living broker is taken for dead only if it, or its machine, refuses everybody who was asked, twice each. Silence
 * proves nothing, whoever is silent: brokers that are stopped, cut off or without power are left to their sessions.
 */
final class FailureProbe {
    private final Suspect suspect;
    private final Deque<BrokerRegistration> others;
    private Phase phase = Phase.CHECKING_SUSPECT;
    private boolean silentOther;

    private enum Phase {
        CHECKING_SUSPECT,
        ASKING,
        CHECKING_OTHER,
        DONE
    }

    /** What comes out. */
    enum Verdict {
        DEAD,
        NOT_PROVEN
    }

    /** What to do next. */
    sealed interface Step {
        /** Run the own check of that broker. */
        record Check(Suspect of) implements Step {}

        /** Ask that broker for its opinion about the suspect. */
        record Ask(BrokerRegistration whom) implements Step {}

        /** It is over. */
        record Done(Verdict verdict) implements Step {}
    }

    /** @param others brokers that count as live, without the suspect and the one that asks, in the order to ask them */
    FailureProbe(Suspect suspect, Collection<BrokerRegistration> others) {
        this.suspect = suspect;
        this.others = new ArrayDeque<>(others);
    }

    Suspect suspect() {
        return suspect;
    }

    Step begin() {
        return new Step.Check(suspect);
    }

    /** The outcome of the own check that the last step asked for. */
    Step onCheck(Outcome outcome) {
        if (phase == Phase.CHECKING_SUSPECT) {
            return outcome == Outcome.REFUSED ? askNext() : done(Verdict.NOT_PROVEN);
        }
        if (phase != Phase.CHECKING_OTHER) {
            throw new IllegalStateException("no check is awaited, but " + phase);
        }
        others.remove();
        silentOther |= outcome != Outcome.REFUSED;
        return askNext();
    }

    /** The opinion that the last step asked for; null for silence. */
    Step onOpinion(@Nullable Outcome opinion) {
        if (phase != Phase.ASKING) {
            throw new IllegalStateException("no opinion is awaited, but " + phase);
        }
        if (opinion == null) {
            phase = Phase.CHECKING_OTHER;
            BrokerRegistration silent = others.element();
            return new Step.Check(new Suspect(silent.id(), silent.peer()));
        }
        return done(opinion == Outcome.REFUSED ? Verdict.DEAD : Verdict.NOT_PROVEN);
    }

    private Step askNext() {
        if (others.isEmpty()) {
            return done(silentOther ? Verdict.NOT_PROVEN : Verdict.DEAD);
        }
        phase = Phase.ASKING;
        return new Step.Ask(others.element());
    }

    private Step done(Verdict verdict) {
        phase = Phase.DONE;
        return new Step.Done(verdict);
    }
}
