package io.tidemark.system.threebrokers;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.io.FaultRule;
import io.tidemark.core.io.FileOperation;
import io.tidemark.model.Acks;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A disk that fails while leadership leaves its broker (DESIGN section 5, S14, S15). */
final class StorageFailureInTransferIT extends ThreeBrokersIT {
    private static final int PARTITIONS = 3;
    private static final int RECORDS = 200;
    private static final int STORAGE_FAILURE = 3;

    // S15: in sync mode a broker that becomes a follower forces what it wrote as the leader; if that fails it ends, and
    // acknowledges nothing more.
    // Fails if: ReplicaManager.guarded swallows a KafkaStorageException of Partition.become.
    @Test
    void shouldEndTheBrokerWhoseForceFailsAsItBecomesAFollower() throws Exception {
        // given
        start(PARTITIONS, Map.of("log.flush.mode", "sync", "zookeeper.session.timeout.ms", "2000"));
        Load load = begin(producing(), 2, 100, PARTITIONS);
        goOnFor(load, 0, RECORDS);
        int old = leaderOf(0);
        brokers.disk(old).failForcesOf("tidemark-commands");

        // when: to and fro, until a change finds something that the flusher has not forced yet
        patiently().until(() -> {
            if (brokers.halts().isEmpty()) {
                int leader = leaderOf(0);
                brokers.transfer(partition(0), leader == old ? old % 3 + 1 : old);
            }
            return !brokers.halts().isEmpty();
        });

        // then
        requireEndOf(old, load);
        assertThat(brokers.disk(old).failedForces()).isPositive();
        restartAndRequireWhole(old, load);
    }

    // S15: the history of epochs is a file that is renamed; if that fails in a change of leaders the broker ends.
    // Fails if: EpochWriter logs an IOException of its rename and goes on.
    @Test
    void shouldEndTheBrokerWhoseRenameFailsInAChangeOfLeaders() throws Exception {
        // given
        start(PARTITIONS, Map.of("zookeeper.session.timeout.ms", "2000"));
        Load load = begin(producing(), 2, 100, PARTITIONS);
        goOnFor(load, 0, RECORDS);
        int old = leaderOf(0);
        brokers.disk(old).fail(FaultRule.failing(FileOperation.RENAME, "*/" + TOPIC + "-0/leader-epoch-checkpoint*"));

        // when
        brokers.transfer(partition(0), old % 3 + 1);

        // then
        requireEndOf(old, load);
        assertThat(brokers.disk(old).hits()).isNotEmpty();
        restartAndRequireWhole(old, load);
    }

    /** It halted once; nothing that it still leads is acknowledged by it, whoever asks; the others go on. */
    private void requireEndOf(int old, Load load) throws Exception {
        patiently().until(() -> !brokers.halts().isEmpty());
        try (DirectCalls direct = new DirectCalls(brokers.listenerOf(old))) {
            for (int partition = 0; partition < PARTITIONS; partition++) {
                for (Acks acks : new Acks[] {Acks.LEADER, Acks.ALL}) {
                    assertThat(direct.produce(partition(partition), acks, "after the end"))
                            .isNotEqualTo(DirectCalls.DONE);
                }
            }
        }
        for (int partition = 0; partition < PARTITIONS; partition++) {
            goOnFor(load, partition, RECORDS);
        }
        assertThat(brokers.halts()).containsExactly(new ThreeBrokers.Halt(old, STORAGE_FAILURE));
    }

    private void restartAndRequireWhole(int old, Load load) throws Exception {
        brokers.disk(old).goOn();
        brokers.stop(old);
        brokers.mend(old);
        brokers.start(old);
        for (int partition = 0; partition < PARTITIONS; partition++) {
            awaitInSync(partition, 3);
        }
        endAndRequireWhole(load, PARTITIONS);
        assertThat(load.failures()).isEmpty();
        leadAndRequireWhole(old, load, PARTITIONS);
    }
}
