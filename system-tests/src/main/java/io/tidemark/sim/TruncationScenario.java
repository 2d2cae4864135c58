package io.tidemark.sim;

import java.time.Duration;
import java.util.List;

/**
 * Why followers truncate by leader epoch (I1, I2, I3): records that every in-sync replica holds, but whose followers have
 * not heard yet that they are committed.
 *
 * <ol>
 *   <li>Broker 1 leads; m0 is acknowledged. The followers' checkpointed high watermarks are still 0.
 *   <li>Broker 1 is cut off from its followers and appends x, which is never acknowledged. It dies, and another leads.
 *   <li>m1 is acknowledged by the new leader, at the offset at which broker 1 holds x.
 *   <li>Broker 1 comes back as a follower: its last epoch tells the leader that x is not the leader's, it cuts x and copies m1.
 *   <li>Leadership moves to broker 1, and the two others become followers; before they have fetched anything broker 1 dies,
 *       and one of them leads.
 * </ol>
 *
 * <p>With {@code leader-epoch} both records are there at the end. With {@code high-watermark} the last step has cut the
 * followers to their checkpointed high watermark, and acknowledged records are gone.
 */
final class TruncationScenario {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private TruncationScenario() {}

    /** Runs it; throws when an invariant is violated on the way. */
    static void run(SimCluster cluster) {
        List<Integer> ids = cluster.brokerIds();
        ids.forEach(cluster::start);
        cluster.run(Duration.ofSeconds(2));
        cluster.createTopic(2);
        cluster.await("all follow", cluster::allCaughtUp, PATIENCE);
        int first = cluster.leader().orElseThrow();
        cluster.produce(first, "m0");
        cluster.await("m0 is acknowledged", () -> cluster.acked().all().size() == 1, PATIENCE);

        ids.stream().filter(id -> id != first).forEach(id -> cluster.cut(first, id));
        cluster.produce(first, "x");
        cluster.run(Duration.ofMillis(20));
        cluster.crash(first);
        cluster.heal();
        cluster.await(
                "another leads",
                () -> cluster.leader().filter(id -> id != first).isPresent(),
                PATIENCE);
        int second = cluster.leader().orElseThrow();
        cluster.produce(second, "m1");
        cluster.await("m1 is acknowledged", () -> cluster.acked().all().size() == 2, PATIENCE);

        cluster.start(first);
        cluster.await("broker " + first + " has copied m1", cluster::allCaughtUp, PATIENCE);
        cluster.run(Duration.ofSeconds(1));
        cluster.transferLeader(first);
        cluster.await(
                "broker " + first + " leads",
                () -> cluster.leader().filter(id -> id == first).isPresent(),
                PATIENCE);
        ids.stream().filter(id -> id != first).forEach(id -> cluster.cut(first, id));
        cluster.run(Duration.ofMillis(20));
        cluster.crash(first);
        cluster.heal();
        cluster.await(
                "another leads",
                () -> cluster.leader().filter(id -> id != first).isPresent(),
                PATIENCE);
        cluster.run(Duration.ofSeconds(2));
    }
}
