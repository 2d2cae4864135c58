package io.tidemark.system.threebrokers;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.client.producer.ProducerConfig;
import io.tidemark.model.Acks;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A leader whose session ends without its knowing. */
final class PausedLeaderIT extends ThreeBrokersIT {
    private static final int RECORDS = 200;
    private static final Map<String, String> SETTINGS =
            Map.of("zookeeper.session.timeout.ms", "2000", "replica.lag.time.max.ms", "3000");

    /** An attempt at a broker that does not answer ends soon. */
    private static ProducerConfig impatient(ProducerConfig config) {
        return config.withTimes(new ProducerConfig.Times(
                Duration.ofMillis(5), Duration.ofSeconds(2), Duration.ofSeconds(60), Duration.ofSeconds(30)));
    }

    // I20, I8: a leader that was paused beyond its session, as by a stop of the process, acknowledges nothing
    // that its
    // successor lacks; its clients move on.
    // Fails if: ReplicaFetches counts fetches of another leader epoch, so that the old leader's high watermark moves.
    @Test
    void shouldLoseNothingWhenALeaderIsPausedBeyondItsSession() throws Exception {
        // given
        start(1, SETTINGS);
        Load load = begin(impatient(producing()), 2, 100, 1);
        goOnFor(load, 0, RECORDS);
        int paused = leaderOf(0);

        // when
        brokers.disk(paused).holdEverything();
        brokers.stall(paused);

        // then
        awaitLeaderOtherThan(paused);
        goOnFor(load, 0, RECORDS);

        // when: it wakes with all that came meanwhile in its queues
        brokers.disk(paused).goOn();
        brokers.mend(paused);

        // then
        awaitInSync(0, 3);
        goOnFor(load, 0, RECORDS);
        endAndRequireWhole(load, 1);
        assertThat(load.failures()).isEmpty();
        requireNoHalt();
        leadAndRequireWhole(paused, load, 1);
    }

    // I20, I8: a leader that only its clients can reach writes on, and acknowledges nothing that its successor
    // lacks.
    // Fails if: IsrRules counts a member that is proposed for removal towards the min-ISR gate.
    @Test
    void shouldLoseNothingWhenALeaderIsReachedByClientsAlone() throws Exception {
        // given
        start(1, SETTINGS);
        Load load = begin(impatient(producing()), 2, 100, 1);
        goOnFor(load, 0, RECORDS);
        int alone = leaderOf(0);

        // when
        brokers.cutFromClusterButNotFromClients(alone);

        // then
        awaitLeaderOtherThan(alone);
        goOnFor(load, 0, RECORDS);

        // when
        brokers.mend(alone);

        // then
        awaitInSync(0, 3);
        goOnFor(load, 0, RECORDS);
        endAndRequireWhole(load, 1);
        assertThat(load.failures()).isEmpty();
        requireNoHalt();
        leadAndRequireWhole(alone, load, 1);
    }

    // I20: what acks=1 acknowledged may be lost with its leader, and nothing else may: acks=all beside it is whole.
    // Fails if: TruncationRule keeps what only the old leader wrote.
    @Test
    void shouldCutWhatOnlyThePausedLeaderHas() throws Exception {
        // given
        start(1, SETTINGS);
        Load load = begin(impatient(producing()), 1, 50, 1);
        goOnFor(load, 0, RECORDS);
        int alone = leaderOf(0);
        brokers.cutFromClusterButNotFromClients(alone);
        try (DirectCalls direct = new DirectCalls(brokers.listenerOf(alone))) {
            patiently().until(() -> DirectCalls.DONE.equals(direct.produce(partition(0), Acks.LEADER, "only-here")));
        }

        // when
        awaitLeaderOtherThan(alone);
        goOnFor(load, 0, RECORDS);
        brokers.mend(alone);
        awaitInSync(0, 3);

        // then: nobody finds it, whoever leads
        endAndRequireWhole(load, 1);
        leadAndRequireWhole(alone, load, 1);
        requireNoHalt();
    }

    private void awaitLeaderOtherThan(int paused) {
        patiently().until(() -> leaderOf(0), leader -> leader > 0 && leader != paused);
    }
}
