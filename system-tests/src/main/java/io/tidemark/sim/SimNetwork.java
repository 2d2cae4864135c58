package io.tidemark.sim;

import io.tidemark.runtime.Cancellable;
import java.time.Duration;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Messages between hosts: each link keeps its order and delays each message by a random time; what is sent over a cut
 * link is lost. A call is answered exactly once, with null when its time is over or nobody listens at the other end.
 */
final class SimNetwork {
    private static final int MIN_DELAY_US = 100;
    private static final int SPREAD_US = 400;

    private final SimWorld world;
    private final SortedMap<Link, Long> lastArrivalNs = new TreeMap<>();
    private final SortedSet<Link> cuts = new TreeSet<>();

    /** One direction between two hosts. */
    private record Link(int from, int to) implements Comparable<Link> {
        @Override
        public int compareTo(Link other) {
            int byFrom = Integer.compare(from, other.from);
            return byFrom != 0 ? byFrom : Integer.compare(to, other.to);
        }
    }

    SimNetwork(SimWorld world) {
        this.world = world;
    }

    /** Nothing passes from one host to the other any more, in this direction. */
    void cut(int from, int to) {
        cuts.add(new Link(from, to));
    }

    /** All links carry messages again. */
    void healAll() {
        cuts.clear();
    }

    /** Delivers after a delay, behind what was sent before on the same link; lost if the link is cut by then. */
    void send(int from, int to, Runnable deliver) {
        Link link = new Link(from, to);
        long nowNs = world.clock().monotonicNs();
        long delayNs = (MIN_DELAY_US + world.randomness().nextInt(SPREAD_US)) * 1_000L;
        long arrivalNs = Math.max(nowNs + delayNs, lastArrivalNs.getOrDefault(link, nowNs) + 1);
        lastArrivalNs.put(link, arrivalNs);
        world.scheduler().schedule(Duration.ofNanos(arrivalNs - nowNs), () -> {
            if (!cuts.contains(link)) {
                deliver.run();
            }
        });
    }

    /**
     * Asks the other host.
     *
     * @param serve given what to answer with; runs at the other host
     * @param answer given exactly once at the caller's; null for no answer
     */
    <A> void call(Route route, BiConsumer<SimHost, Consumer<@Nullable A>> serve, Consumer<@Nullable A> answer) {
        Pending<A> pending = new Pending<>(answer);
        pending.timer = world.scheduler().schedule(route.timeout(), () -> pending.settle(null));
        int from = route.from();
        int to = route.to().id();
        send(from, to, () -> {
            if (route.to().process() == null) {
                send(to, from, () -> pending.settle(null));
            } else {
                serve.accept(route.to(), result -> send(to, from, () -> pending.settle(result)));
            }
        });
    }

    /** Where a call goes, and how long its answer may take. */
    record Route(int from, SimHost to, Duration timeout) {}

    private static final class Pending<A> {
        private final Consumer<@Nullable A> answer;
        private Cancellable timer = () -> {};
        private boolean settled;

        Pending(Consumer<@Nullable A> answer) {
            this.answer = answer;
        }

        void settle(@Nullable A result) {
            if (!settled) {
                settled = true;
                timer.cancel();
                answer.accept(result);
            }
        }
    }
}
