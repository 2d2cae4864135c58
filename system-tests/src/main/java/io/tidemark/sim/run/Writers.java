package io.tidemark.sim.run;

import io.tidemark.core.testkit.SeededRandomness;
import io.tidemark.sim.SimCluster;
import io.tidemark.sim.SimWorld;
import io.tidemark.sim.plan.ClientPlan;
import java.time.Duration;
import java.util.List;

/**
 * The clients of a plan, as the cluster's own producer stands for them: each sends single records, whose values are never the same
 * twice, to the leader, or to anybody while there is none. No record is sent again.
 */
final class Writers {
    private static final int NS_PER_US = 1_000;
    private static final int US_PER_S = 1_000_000;

    private final SimWorld world;
    private final SimCluster cluster;
    private boolean stopped;
    private int sent;

    Writers(SimWorld world, SimCluster cluster) {
        this.world = world;
        this.cluster = cluster;
    }

    /** All clients send from now on. */
    void begin(List<ClientPlan> clients) {
        for (ClientPlan client : clients) {
            next(client, world.fork("client/" + client.id()), 1);
        }
    }

    /** Nobody sends any more. */
    void end() {
        stopped = true;
    }

    int sent() {
        return sent;
    }

    private void next(ClientPlan client, SeededRandomness chance, int number) {
        int longestUs = 2 * US_PER_S / client.recordsPerSecond();
        long pauseNs = (1L + chance.nextInt(longestUs)) * NS_PER_US;
        world.scheduler().schedule(Duration.ofNanos(pauseNs), () -> {
            if (!stopped) {
                sent++;
                cluster.produce(receiver(chance), "c" + client.id() + "-" + number);
                next(client, chance, number + 1);
            }
        });
    }

    private int receiver(SeededRandomness chance) {
        int anybody = chance.pick(cluster.brokerIds());
        return cluster.leader().orElse(anybody);
    }
}
