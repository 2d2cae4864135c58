package io.tidemark.cli.health;

import io.tidemark.client.TidemarkException;
import io.tidemark.client.admin.Admin;
import io.tidemark.client.admin.ClusterHealth;
import io.tidemark.client.admin.ClusterHealth.Statement;
import io.tidemark.client.net.Metadata;
import java.time.Duration;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Asks every live broker for its view of the cluster, all at once. */
final class HealthPoll {
    /** A broker that takes longer is not well, whatever its answer is. */
    private static final Duration PATIENCE = Duration.ofSeconds(3);

    private HealthPoll() {}

    /**
     * The verdict now. Fails as {@link Admin#describeCluster} does when no broker can be asked who lives.
     *
     * @param limit for each broker's answer, if it is shorter than three seconds
     */
    static ClusterHealth ask(Admin admin, Metadata any, Duration limit) {
        Duration patience = limit.compareTo(PATIENCE) < 0 ? limit : PATIENCE;
        SortedMap<Integer, CompletableFuture<Metadata>> asked = new TreeMap<>();
        any.brokers()
                .forEach((id, broker) -> asked.put(
                        id,
                        admin.describeClusterAt(broker.client())
                                .orTimeout(patience.toMillis(), TimeUnit.MILLISECONDS)));
        SortedMap<Integer, Statement> statements = new TreeMap<>();
        asked.forEach((id, answer) -> statements.put(id, statement(answer, patience)));
        return ClusterHealth.of(any.brokers(), statements);
    }

    private static Statement statement(CompletableFuture<Metadata> answer, Duration patience) {
        try {
            return new Statement.Said(answer.join());
        } catch (CompletionException e) {
            if (e.getCause() instanceof TimeoutException) {
                return new Statement.Silent("no answer within " + patience.toMillis() + " ms");
            }
            if (e.getCause() instanceof TidemarkException failure) {
                return new Statement.Silent(String.valueOf(failure.getMessage()));
            }
            throw e;
        }
    }
}
