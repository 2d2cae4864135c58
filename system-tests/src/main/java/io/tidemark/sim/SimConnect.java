package io.tidemark.sim;

import io.tidemark.coordination.broker.PeerProbe.Outcome;
import io.tidemark.coordination.broker.RefusalCheck;
import io.tidemark.runtime.Cancellable;
import java.util.function.Consumer;

/**
 * A connection that is opened and dropped again. The other machine's kernel answers, whatever its process does: so a process
 * that is paused takes it, a machine that is up refuses when nobody listens, and one that has no power says nothing. Lost
 * packets cost more time than is waited for.
 */
final class SimConnect implements Envelope {
    private final SimNetwork network;
    private final ProcessThreads from;
    private final NetworkPeer to;
    private final Consumer<Outcome> outcome;
    private Cancellable timer = () -> {};
    private boolean settled;

    SimConnect(SimNetwork network, ProcessThreads from, NetworkPeer to, Consumer<Outcome> outcome) {
        this.network = network;
        this.from = from;
        this.to = to;
        this.outcome = outcome;
    }

    void start() {
        timer = from.schedule(RefusalCheck.WINDOW, () -> settle(Outcome.UNKNOWN));
        network.link(from.id(), to.id()).send(this);
    }

    @Override
    public MessageKind kind() {
        return MessageKind.CONNECT;
    }

    @Override
    public void arrive() {
        if (to.isUp()) {
            Outcome answer = to.threads() == null ? Outcome.REFUSED : Outcome.CONNECTED;
            network.link(to.id(), from.id()).send(new Reply(answer));
        }
    }

    @Override
    public void lost(Loss loss) {}

    @Override
    public void arriveAgain() {}

    private void settle(Outcome result) {
        if (!settled) {
            settled = true;
            timer.cancel();
            outcome.accept(result);
        }
    }

    private final class Reply implements Envelope {
        private final Outcome answer;

        Reply(Outcome answer) {
            this.answer = answer;
        }

        @Override
        public MessageKind kind() {
            return MessageKind.CONNECT_ANSWER;
        }

        @Override
        public void arrive() {
            from.enter(() -> settle(answer));
        }

        @Override
        public void lost(Loss loss) {}

        @Override
        public void arriveAgain() {}
    }
}
