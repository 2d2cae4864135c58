package io.tidemark.core.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.model.TopicId;
import io.tidemark.model.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Scenario 14: which directories hold a log. */
final class PartitionDirectoryNameTest {
    /** Fails if: the partition is taken from the first dash, or a dot ends the topic. */
    @ParameterizedTest
    @CsvSource({"orders-0,orders,0", "a.b-c_d-17,a.b-c_d,17", "x-1-2,x-1,2", "orders-delete-3,orders-delete,3"})
    void shouldFindThePartitionBehindTheLastDash(String name, String topic, int partition) {
        assertThat(PartitionDirectoryName.parse(name)).contains(new TopicPartition(topic, partition));
    }

    /** Fails if: a number is taken that the partition would not be written with. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "orders",
                "orders-",
                "-0",
                "orders-x",
                "orders-01",
                "orders-+1",
                ".orders-0",
                "lost+found",
                "orders-0.deleted",
                "orders-99999999999"
            })
    void shouldLeaveOtherNamesAlone(String name) {
        assertThat(PartitionDirectoryName.parse(name)).isEmpty();
    }

    /** Fails if: a directory that is being deleted, or was set aside, is loaded as a log. */
    @Test
    void shouldTellDeletedAndStrayDirectoriesFromLogs() {
        TopicPartition partition = new TopicPartition("a.b-c", 3);
        String deleted = PartitionDirectoryName.deleted(partition, new TopicId(1, 2));
        String stray = PartitionDirectoryName.stray(partition, "why");
        assertThat(PartitionDirectoryName.isBeingDeleted(deleted)).isTrue();
        assertThat(PartitionDirectoryName.isBeingDeleted(stray)).isFalse();
        assertThat(PartitionDirectoryName.isBeingDeleted("orders-0.unfinished-delete"))
                .isTrue();
        assertThat(PartitionDirectoryName.isBeingDeleted("please-delete")).isFalse();
        assertThat(PartitionDirectoryName.isBeingDeleted("photos.2024-delete")).isFalse();
        assertThat(PartitionDirectoryName.parse(deleted)).isEmpty();
        assertThat(PartitionDirectoryName.parse(stray)).isEmpty();
    }

    // S54, scenario 14: a partition that was deleted twice before the first one's files were gone
    // Fails if: isBeingDeleted looks for the partition in front of the last dot only.
    @ParameterizedTest
    @ValueSource(strings = {"orders-0.abc.1-delete", "a.b-c-3.unfinished.12-delete"})
    void shouldKnowDeletedDirectoriesThatGotANumber(String name) {
        assertThat(PartitionDirectoryName.isBeingDeleted(name)).isTrue();
        assertThat(PartitionDirectoryName.parse(name)).isEmpty();
    }

    // Fails if: isBeingDeleted takes any two dots for a number behind a partition.
    @ParameterizedTest
    @ValueSource(strings = {"photos.2024.1-delete", "orders-0.abc.def-delete", "orders-0.abc.1-stray"})
    void shouldLeaveAloneWhatOnlyLooksLikeThem(String name) {
        assertThat(PartitionDirectoryName.isBeingDeleted(name)).isFalse();
    }
}
