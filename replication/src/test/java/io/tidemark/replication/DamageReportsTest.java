package io.tidemark.replication;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.model.ErrorCode;
import io.tidemark.replication.partition.DamageReport;
import io.tidemark.replication.partition.MemoryLog;
import io.tidemark.replication.partition.Partition;
import io.tidemark.replication.partition.ReplicaSettings;
import io.tidemark.replication.partition.States;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** DESIGN 3, CORRUPT: which replica is reported, and how often. */
final class DamageReportsTest {
    private static final int SELF = 2;
    private static final int LEADER = 1;

    private final MemoryLog log = MemoryLog.of(1, 1, 1, 1, 1, 1);
    private final Partition partition = new Partition(log, SELF, () -> 20, ReplicaSettings.DEFAULTS, 6);
    private final List<DamageReport> reported = new ArrayList<>();
    private final List<Consumer<ErrorCode>> answers = new ArrayList<>();
    private final DamageReports reports = new DamageReports((report, answer) -> {
        reported.add(report);
        answers.add(answer);
    });

    private static DamageReport inEpoch(int leaderEpoch) {
        return new DamageReport(States.TOPIC_ID, States.PARTITION, leaderEpoch);
    }

    // Fails if: Replica.damageReport does not ask whether the log is damaged
    @Test
    void shouldReportNothingThatIsSoundOrHasNoRole() {
        // when
        reports.check(partition);
        log.damage(2, 4);
        reports.check(partition);

        // then
        assertThat(reported).isEmpty();
    }

    // DESIGN 3: a leader asks the controller to move leadership
    // Fails if: Replica.damageReport answers for followers alone
    @Test
    void shouldReportADamagedLeader() {
        // given
        partition.become(States.led(SELF, 3).at(2, SELF, 3), 0);
        log.damage(2, 4);

        // when
        reports.check(partition);

        // then
        assertThat(reported).containsExactly(inEpoch(3));
    }

    // DESIGN 3: whoever is counted on is to leave both sets first
    // Fails if: Replica.damageReport takes a member of the in-sync set for one that is about to cut
    @Test
    void shouldReportADamagedMemberOfTheInSyncSet() {
        // given
        partition.become(States.led(LEADER, 3).at(2, LEADER, SELF), 0);
        log.damage(2, 4);

        // when
        reports.check(partition);

        // then
        assertThat(reported).containsExactly(inEpoch(3));
    }

    // DESIGN 3: one that nobody counts on is reported for what it proved in this epoch, and cuts by itself in the next
    // Fails if: Replica.followerPosition does not note that it was asked
    @Test
    void shouldReportAFollowerThatHasFetchedInTheEpochAndNoneThatIsAboutToCut() {
        // given
        partition.become(States.led(LEADER, 3).at(2, LEADER, 3), 0);
        log.damage(2, 4);

        // when
        reports.check(partition);
        assertThat(reported).isEmpty();
        assertThat(partition.followerPosition()).isPresent();
        reports.check(partition);

        // then
        assertThat(reported).containsExactly(inEpoch(3));

        // when the controller has begun another epoch
        answers.get(0).accept(ErrorCode.NONE);
        partition.become(States.led(LEADER, 4).at(3, LEADER, 3), 0);
        reports.check(partition);

        // then
        assertThat(reported).hasSize(1);
    }

    // Fails if: DamageReports.check sends a report while another is on its way, or none behind an answer
    @Test
    void shouldReportAgainWhatIsStillDamagedAndOneAtATime() {
        // given
        partition.become(States.led(SELF, 3).at(2, SELF), 0);
        log.damage(2, 4);

        // when
        reports.check(partition);
        reports.check(partition);
        assertThat(reported).hasSize(1);
        answers.get(0).accept(ErrorCode.INELIGIBLE_REPLICA);
        reports.check(partition);

        // then
        assertThat(reported).containsExactly(inEpoch(3), inEpoch(3));
    }
}
