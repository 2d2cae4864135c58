package io.tidemark.sim;

import io.tidemark.runtime.Cancellable;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A single call and its answer. */
final class SimCall<A> implements Envelope, SimNetwork.Outstanding {
    private static final Duration RECONNECT = Duration.ofMillis(100);

    private final SimNetwork network;
    private final SimNetwork.Route route;
    private final Consumer<Consumer<@Nullable A>> serve;
    private final Consumer<@Nullable A> answer;
    private Cancellable timer = () -> {};
    private @Nullable ProcessThreads holder;
    private boolean settled;

    SimCall(
            SimNetwork network,
            SimNetwork.Route route,
            Consumer<Consumer<@Nullable A>> serve,
            Consumer<@Nullable A> answer) {
        this.network = network;
        this.route = route;
        this.serve = serve;
        this.answer = answer;
    }

    void start() {
        network.begin(this);
        timer = route.from().schedule(route.timeout(), () -> settle(null));
        network.link(route.from().id(), route.to().id()).send(this);
    }

    @Override
    public MessageKind kind() {
        return route.kind();
    }

    @Override
    public void arrive() {
        ProcessThreads there = route.to().threads();
        if (there == null) {
            refused();
        } else {
            holder = there;
            there.enter(() -> serve.accept(this::reply));
        }
    }

    @Override
    public void arriveAgain() {
        ProcessThreads there = route.to().threads();
        if (there != null) {
            there.enter(() -> serve.accept(this::reply));
        }
    }

    @Override
    public void lost(Loss loss) {
        if (loss == Loss.TOLD) {
            reset();
        }
    }

    @Override
    public void reset() {
        route.from().enter(() -> settle(null));
    }

    @Override
    public ProcessThreads caller() {
        return route.from();
    }

    @Override
    public @Nullable ProcessThreads holder() {
        return holder;
    }

    private void refused() {
        if (kind().isPatient()) {
            route.from().schedule(RECONNECT, this::sendAgain);
        } else {
            reply(null);
        }
    }

    private void sendAgain() {
        if (!settled) {
            network.link(route.from().id(), route.to().id()).send(this);
        }
    }

    private void reply(@Nullable A result) {
        network.link(route.to().id(), route.from().id()).send(new Reply(result));
    }

    private void settle(@Nullable A result) {
        if (!settled) {
            settled = true;
            timer.cancel();
            network.end(this);
            answer.accept(result);
        }
    }

    private final class Reply implements Envelope {
        private final @Nullable A result;

        Reply(@Nullable A result) {
            this.result = result;
        }

        @Override
        public MessageKind kind() {
            return route.kind().answer();
        }

        @Override
        public void arrive() {
            route.from().enter(() -> settle(result));
        }

        @Override
        public void lost(Loss loss) {
            if (loss == Loss.TOLD) {
                reset();
            }
        }

        @Override
        public void arriveAgain() {}
    }
}
