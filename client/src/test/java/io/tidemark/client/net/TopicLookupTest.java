package io.tidemark.client.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.client.producer.FakeCluster;
import io.tidemark.client.producer.ManualLoop;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Names that are no topic's must leave nothing behind: callers choose them. */
final class TopicLookupTest {
    private final ManualLoop loop = new ManualLoop();
    private final FakeCluster brokers = new FakeCluster();
    private final ClusterClient cluster = new ClusterClient(
            new ClusterClient.Settings(List.of(FakeCluster.endpoint(1)), Duration.ofSeconds(300), RetryRules.DEFAULT),
            new ClientRuntime(loop, loop, new NoJitter()),
            brokers);
    private final List<TopicLookup.Found> found = new ArrayList<>();

    // Fails if: close clears what waits, and lets the cluster keep the names.
    @Test
    void shouldForgetANameWhoseSeekerIsGoneBeforeTheAnswer() {
        // given
        TopicLookup lookup = new TopicLookup(cluster);
        lookup.find("nothing", found::add);
        loop.advance(Duration.ofMillis(50));
        assertThat(brokers.askedTopics).containsExactly("nothing");

        // when
        lookup.close();
        refresh();

        // then
        assertThat(found).isEmpty();
        assertThat(brokers.askedTopics).isEmpty();
        assertThat(cluster.metadata().topics()).doesNotContainKey("nothing");
    }

    // Fails if: an answer's topics are kept whether anybody tracks them or not.
    @Test
    void shouldForgetANameWhoseSeekerGoesWhileBrokersAreAsked() {
        // given
        TopicLookup lookup = new TopicLookup(cluster);
        brokers.whileAsked = lookup::close;

        // when
        lookup.find("nothing", found::add);
        refresh();

        // then
        assertThat(cluster.metadata().topics()).doesNotContainKey("nothing");
    }

    /** Two look for one name, and one goes away: the other is told all the same. */
    @Test
    void shouldTellWhoeverStillSeeksTheName() {
        // given
        TopicLookup gone = new TopicLookup(cluster);
        TopicLookup left = new TopicLookup(cluster);
        gone.find("nothing", found::add);
        left.find("nothing", found::add);
        loop.advance(Duration.ofMillis(50));

        // when
        gone.close();
        loop.advance(Duration.ofSeconds(1));

        // then
        assertThat(found).singleElement().isInstanceOf(TopicLookup.Found.Missing.class);
        assertThat(cluster.metadata().topics()).doesNotContainKey("nothing");
    }

    private void refresh() {
        cluster.refresh();
        loop.advance(Duration.ofMillis(100));
    }
}
