package io.tidemark.sim;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Two hosts on a simulated network, and what was asked, served and answered between them. */
abstract class NetworkRig {
    static final Duration TIMEOUT = Duration.ofSeconds(2);
    /** By then a message and its answer have arrived over links that are well. */
    static final Duration ROUND = Duration.ofMillis(5);

    final SimWorld world = new SimWorld(11, Trace.OFF);
    final SimNetwork network = new SimNetwork(world);
    final Peer one = new Peer(1);
    final Peer two = new Peer(2);
    final List<String> served = new ArrayList<>();
    final List<String> answered = new ArrayList<>();
    /** Serves nobody: the answers that are still to be given. */
    final List<Consumer<@Nullable String>> open = new ArrayList<>();

    final class Peer implements NetworkPeer {
        private final int id;
        private int lives;
        private @Nullable ProcessThreads running;

        Peer(int id) {
            this.id = id;
            start();
        }

        void start() {
            lives++;
            running = new ProcessThreads(world, id, "process/" + id + "/" + lives);
        }

        void crash() {
            ProcessThreads ended = process();
            powerLoss();
            network.processEnded(ended);
        }

        void powerLoss() {
            process().die();
            running = null;
            network.machineLost();
        }

        ProcessThreads process() {
            return Objects.requireNonNull(running);
        }

        @Override
        public int id() {
            return id;
        }

        @Override
        public @Nullable ProcessThreads threads() {
            return running;
        }
    }

    void serve(String question, Consumer<@Nullable String> reply) {
        served.add(question);
        reply.accept("re " + question);
    }

    void ask(String question) {
        ask(MessageKind.PROPOSE, question);
    }

    void ask(MessageKind kind, String question) {
        network.<String>call(
                new SimNetwork.Route(kind, one.process(), two, TIMEOUT),
                reply -> serve(question, reply),
                answer -> answered.add(answer == null ? "none for " + question : answer));
    }

    /** A call that is served and not answered. */
    void askInVain(String question) {
        network.<String>call(
                new SimNetwork.Route(MessageKind.PROPOSE, one.process(), two, TIMEOUT),
                reply -> served.add(question),
                answer -> answered.add(answer == null ? "none for " + question : answer));
    }

    SimStream stream() {
        return network.open(MessageKind.FETCH, one.process(), two);
    }

    void ask(SimStream stream, String question) {
        stream.<String>call(
                TIMEOUT,
                reply -> serve(question, reply),
                answer -> answered.add(answer == null ? "none for " + question : answer));
    }

    /** A request that waits at the other host until the test answers it. */
    void askAndWait(SimStream stream, String question) {
        stream.<String>call(
                TIMEOUT,
                reply -> {
                    served.add(question);
                    open.add(reply);
                },
                answer -> answered.add(answer == null ? "none for " + question : answer));
    }

    static List<String> numbers(int count) {
        List<String> numbers = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            numbers.add("q" + i);
        }
        return numbers;
    }
}
