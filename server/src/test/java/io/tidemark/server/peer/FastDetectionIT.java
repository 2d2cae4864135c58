package io.tidemark.server.peer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidemark.coordination.broker.PeerProbe;
import io.tidemark.coordination.broker.Push;
import io.tidemark.model.BrokerRegistration;
import io.tidemark.model.ClusterUpdate;
import io.tidemark.model.Endpoint;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;

/** What brokers notice of each other's end over real sockets. */
final class FastDetectionIT extends TwoBrokers {
    private static Push.Request push(long sequence) {
        return new Push.Request(1, 5, 102, sequence, new ClusterUpdate(true, new TreeMap<>(), 1, List.of(), List.of()));
    }

    private GrpcBrokerCommands commands(GrpcBrokerCommands.Listener listener) {
        return new GrpcBrokerCommands(one.connections, one.peerSettings, one.loop, listener);
    }

    // DESIGN 6, fast detection: the push stream stays open, and both ends learn of its end.
    // Fails if: PeerStream.Conversation.end tells only those who wait for an answer
    @Test
    void shouldTellWhenAPushStreamBreaksThoughNothingIsUnderWay() throws Exception {
        // given
        Heard heard = new Heard();
        BlockingQueue<Push.Answer> answers = new LinkedBlockingQueue<>();
        try (GrpcBrokerCommands commands = commands(heard)) {
            commands.push(two.registration(), push(1), answers::add);
            next(answers);

            // when
            BrokerRegistration registration = two.registration();
            two.close();

            // then
            assertThat(next(heard.breaks)).isEqualTo("2@102");

            // when: nobody is there to open it to
            commands.hold(registration);

            // then
            assertThat(next(heard.breaks)).isEqualTo("2@102");
        }
        assertThat(heard.breaks).isEmpty();
    }

    // DESIGN 6, fast detection: a broker learns that its controller's stream is gone.
    // Fails if: BrokerCommandService.push tells nobody of the end
    @Test
    void shouldTellTheBrokerThatTheControllersStreamEnded() {
        // given
        GrpcBrokerCommands commands = commands(new Heard());
        commands.hold(two.registration());
        await().until(() -> two.commands.announceStorageFailure() == 1);

        // when
        commands.close();

        // then
        await().until(() -> two.suspicions.endedStreams.get() == 1);
    }

    // DESIGN 6, fast detection: a refusal is told from an answer and from silence.
    // Fails if: GrpcPeerProbe takes every failed connection for a refusal
    @Test
    void shouldTellRefusedConnectionsFromOthers() throws Exception {
        // given
        BlockingQueue<PeerProbe.Outcome> outcomes = new LinkedBlockingQueue<>();
        Endpoint address = two.peerEndpoint();
        try (GrpcPeerProbe probe = new GrpcPeerProbe(one.connections, one.peerSettings)) {
            // then
            probe.connect(address, outcomes::add);
            assertThat(next(outcomes)).isEqualTo(PeerProbe.Outcome.CONNECTED);
            probe.connect(new Endpoint("no-such-host.invalid", 1), outcomes::add);
            assertThat(next(outcomes)).isEqualTo(PeerProbe.Outcome.UNKNOWN);

            // when: its accept queue is full, as that of a stopped process
            try (FullDoor door = new FullDoor()) {
                probe.connect(door.endpoint(), outcomes::add);
                assertThat(next(outcomes)).isEqualTo(PeerProbe.Outcome.UNKNOWN);
            }

            // when
            two.close();

            // then
            probe.connect(address, outcomes::add);
            assertThat(next(outcomes)).isEqualTo(PeerProbe.Outcome.REFUSED);
        }
    }

    /** A listener that accepts nobody, and whose queue is full. */
    private static final class FullDoor implements AutoCloseable {
        private final ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        private final List<SocketChannel> queue = new ArrayList<>();

        FullDoor() throws IOException {
            for (int i = 0; i < 8; i++) {
                SocketChannel waiting = SocketChannel.open();
                waiting.configureBlocking(false);
                waiting.connect(listener.getLocalSocketAddress());
                queue.add(waiting);
            }
        }

        Endpoint endpoint() {
            return new Endpoint("127.0.0.1", listener.getLocalPort());
        }

        @Override
        public void close() throws IOException {
            for (SocketChannel waiting : queue) {
                waiting.close();
            }
            listener.close();
        }
    }

    // DESIGN 6, fast detection: a second opinion, or silence.
    // Fails if: GrpcPeerProbe takes an unreachable broker for a confirmation
    @Test
    void shouldAskAnotherBrokerForItsOpinion() throws Exception {
        // given
        BlockingQueue<Optional<PeerProbe.Outcome>> opinions = new LinkedBlockingQueue<>();
        PeerProbe.Suspect suspect = new PeerProbe.Suspect(3, new Endpoint("10.0.0.3", 9093));
        BrokerRegistration asked = two.registration();
        two.suspicions.opinion = PeerProbe.Outcome.REFUSED;
        try (GrpcPeerProbe probe = new GrpcPeerProbe(one.connections, one.peerSettings)) {
            // when
            probe.secondOpinion(asked, suspect, opinion -> opinions.add(Optional.ofNullable(opinion)));

            // then
            assertThat(next(opinions)).contains(PeerProbe.Outcome.REFUSED);
            assertThat(two.suspicions.suspects).containsExactly(suspect);

            // when
            two.close();
            probe.secondOpinion(asked, suspect, opinion -> opinions.add(Optional.ofNullable(opinion)));

            // then
            assertThat(next(opinions)).isEmpty();
        }
    }
}
