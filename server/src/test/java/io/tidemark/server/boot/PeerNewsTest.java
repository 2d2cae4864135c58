package io.tidemark.server.boot;

import static io.tidemark.coordination.broker.PeerProbe.Outcome.REFUSED;
import static io.tidemark.coordination.broker.PeerProbe.Outcome.UNKNOWN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.tidemark.coordination.broker.PeerProbe;
import io.tidemark.coordination.broker.PeerProbe.Outcome;
import io.tidemark.coordination.broker.PeerProbe.Suspect;
import io.tidemark.core.testkit.ManualClock;
import io.tidemark.core.testkit.ManualScheduler;
import io.tidemark.model.BrokerRegistration;
import io.tidemark.model.ClusterUpdate;
import io.tidemark.model.Endpoint;
import io.tidemark.server.metadata.MetadataCache;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class PeerNewsTest {
    private static final Endpoint ADDRESS = new Endpoint("broker-3", 9093);

    private final ManualClock clock = new ManualClock(0, 0);
    private final ManualScheduler scheduler = new ManualScheduler(clock);
    private final MetadataCache metadata = new MetadataCache();
    private final RefusingProbe probe = new RefusingProbe();
    private final PeerNews news = new PeerNews(probe, scheduler, clock, metadata, new AtomicReference<>());
    private final List<Outcome> opinions = new ArrayList<>();

    private static final class RefusingProbe implements PeerProbe {
        private final List<Endpoint> connects = new ArrayList<>();

        @Override
        public void connect(Endpoint at, Consumer<Outcome> outcome) {
            connects.add(at);
            outcome.accept(REFUSED);
        }

        @Override
        public void secondOpinion(BrokerRegistration of, Suspect about, Consumer<@Nullable Outcome> answer) {
            throw new AssertionError("a second opinion is no chain");
        }
    }

    private void knowBroker3() {
        SortedMap<Integer, BrokerRegistration> brokers = new TreeMap<>();
        brokers.put(3, new BrokerRegistration(3, 7, 1, ADDRESS, ADDRESS, ADDRESS, "", List.of("d"), -1));
        metadata.apply(new ClusterUpdate(true, brokers, 1, List.of(), List.of()), 1);
    }

    private List<Outcome> ask(Suspect about) {
        news.probe(about, opinions::add);
        scheduler.advance(Duration.ofMillis(100));
        return opinions;
    }

    // DESIGN 6, fast detection: the second opinion is made of two connections, too.
    // Fails if: PeerNews.probe connects once
    @Test
    void shouldHaveAnOpinionAboutABrokerThatItKnows() {
        knowBroker3();

        assertThat(ask(new Suspect(3, ADDRESS))).containsExactly(REFUSED);
        assertThat(probe.connects).containsExactly(ADDRESS, ADDRESS);
    }

    /** Who reaches the peers' listener cannot have a broker look around in its network. */
    // Fails if: PeerNews.probe connects to whatever it is asked about
    @Test
    void shouldConnectToNobodyElse() {
        assertThat(ask(new Suspect(3, ADDRESS))).containsExactly(UNKNOWN);
        knowBroker3();
        assertThat(ask(new Suspect(3, new Endpoint("broker-3", 22)))).containsExactly(UNKNOWN, UNKNOWN);
        assertThat(ask(new Suspect(4, ADDRESS))).containsExactly(UNKNOWN, UNKNOWN, UNKNOWN);
        assertThat(probe.connects).isEmpty();
    }

    /** Peers may call before there is a controller, and after it has gone. */
    @Test
    void shouldDropNewsThatNobodyIsThereFor() {
        assertThatCode(() -> {
                    news.controllerStreamEnded();
                    news.brokerStreamBroke(3, 7);
                    news.brokerStorageFailed(3, 7);
                })
                .doesNotThrowAnyException();
    }
}
