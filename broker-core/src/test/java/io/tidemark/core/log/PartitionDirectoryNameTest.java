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
    @CsvSource({
        "orders-0,orders,0",
        "a.b-c_d-17,a.b-c_d,17",
        "x-1-2,x-1,2",
        "orders-delete-3,orders-delete,3",
        ".orders-0,.orders,0"
    })
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

    // S54: a partition that was deleted, made anew and deleted again before the first one's files were gone
    // Fails if: PartitionDirectoryName.BEING_DELETED has no number
    @Test
    void shouldKnowADeletedDirectoryThatHasANumber() {
        String deleted = PartitionDirectoryName.deleted(new TopicPartition("a.b-c", 3), new TopicId(1, 2));
        String numbered = deleted.replace("-delete", ".1-delete");
        assertThat(PartitionDirectoryName.isBeingDeleted(numbered)).isTrue();
        assertThat(PartitionDirectoryName.isBeingDeleted("photos-1.2024-delete"))
                .isFalse();
    }

    // S51: a topic name has up to 249 characters, a file name 255
    // Fails if: PartitionDirectoryName.fitting does not shorten the topic
    @Test
    void shouldFitAFileNameHoweverLongTheTopicIs() {
        TopicPartition partition = new TopicPartition("t".repeat(249), 12_345);
        String deleted = PartitionDirectoryName.deleted(partition, new TopicId(1, 2));
        assertThat(deleted.length()).isLessThanOrEqualTo(255 - ".99".length());
        assertThat(PartitionDirectoryName.isBeingDeleted(deleted)).isTrue();
        assertThat(PartitionDirectoryName.stray(partition, new TopicId(1, 2).toString())
                        .length())
                .isLessThanOrEqualTo(255 - ".99".length());
    }
}
