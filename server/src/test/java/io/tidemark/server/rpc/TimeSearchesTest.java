package io.tidemark.server.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.runtime.KafkaStorageException;
import io.tidemark.core.runtime.StorageLatch;
import io.tidemark.core.testkit.ManualClock;
import io.tidemark.model.ErrorCode;
import io.tidemark.model.TopicPartition;
import io.tidemark.replication.LocalReplicas;
import io.tidemark.replication.partition.OffsetLookup;
import io.tidemark.replication.partition.Partition;
import io.tidemark.server.rpc.TimeOffsetsPort.Question;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

final class TimeSearchesTest {
    private final ManualClock clock = new ManualClock();
    private final Queue<Runnable> turns = new ArrayDeque<>();
    private final List<TopicPartition> asked = new ArrayList<>();
    private final List<KafkaStorageException> storageFailures = new ArrayList<>();
    private final List<String> answers = new ArrayList<>();
    private boolean brokenDisk;

    private final Function<TopicPartition, Optional<Partition>> find = partition -> {
        asked.add(partition);
        if (brokenDisk) {
            throw new KafkaStorageException("the disk is gone");
        }
        return Optional.empty();
    };
    private final TimeSearches searches = new TimeSearches(
            new LocalReplicas(find, null, new StorageLatch(storageFailures::add)), clock, turns::add, () -> {});

    private static List<Question> questions(String topic, int count) {
        List<Question> questions = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            questions.add(new Question(new TopicPartition(topic, i), 5, -1));
        }
        return questions;
    }

    private static List<ErrorCode> errors(List<OffsetLookup> lookups) {
        return lookups.stream()
                .map(lookup -> ((OffsetLookup.Refused) lookup).error())
                .toList();
    }

    private void ask(String topic, int count) {
        searches.search(questions(topic, count), () -> true, found -> answers.add(topic + errors(found)));
    }

    private void runAll() {
        for (Runnable turn = turns.poll(); turn != null; turn = turns.poll()) {
            turn.run();
        }
    }

    @Test
    void shouldLetRequestsTakeTurnsByPartition() {
        // given: one with many partitions before one with a single one
        ask("many", 3);
        ask("one", 1);

        // when
        runAll();

        // then
        assertThat(asked).extracting(TopicPartition::toString).containsExactly("many-0", "one-0", "many-1", "many-2");
        assertThat(answers.get(0)).startsWith("one");
        assertThat(answers.get(1))
                .isEqualTo("many[UNKNOWN_TOPIC_OR_PARTITION, UNKNOWN_TOPIC_OR_PARTITION, UNKNOWN_TOPIC_OR_PARTITION]");
        assertThat(searches.underWay()).isZero();
    }

    @Test
    void shouldRefuseRequestsBeyondItsBoundAtOnce() {
        // given
        for (int i = 0; i < TimeSearches.MAX_REQUESTS; i++) {
            ask("let-in", 1);
        }

        // when
        ask("refused", 2);

        // then
        assertThat(answers).containsExactly("refused[THROTTLED, THROTTLED]");
        assertThat(turns).hasSize(TimeSearches.MAX_REQUESTS);
        runAll();
        ask("later", 1);
        runAll();
        assertThat(answers)
                .hasSize(TimeSearches.MAX_REQUESTS + 2)
                .last()
                .isEqualTo("later[UNKNOWN_TOPIC_OR_PARTITION]");
    }

    @Test
    void shouldSpendNoTurnOnARequestThatNobodyWaitsFor() {
        searches.search(questions("gone", 5), () -> false, found -> answers.add("gone" + found.size()));
        runAll();
        assertThat(asked).isEmpty();
        assertThat(answers).containsExactly("gone5");
        assertThat(searches.underWay()).isZero();
    }

    @Test
    void shouldEndARequestThatHasHadItsTime() {
        // given
        ask("slow", 2);
        turns.remove().run();

        // when
        clock.advance(TimeSearches.LONGEST);
        runAll();

        // then
        assertThat(answers).containsExactly("slow[UNKNOWN_TOPIC_OR_PARTITION, REQUEST_TIMED_OUT]");
    }

    @Test
    void shouldReportABrokenDiskBeforeItAnswers() {
        brokenDisk = true;
        ask("a", 1);
        runAll();
        assertThat(storageFailures).hasSize(1);
        assertThat(answers).containsExactly("a[KAFKA_STORAGE_ERROR]");
    }

    @Test
    void shouldEndAtOnceWhenItIsClosed() {
        ask("begun", 2);
        searches.close();
        ask("late", 1);
        runAll();
        assertThat(asked).isEmpty();
        assertThat(answers)
                .containsExactly("late[BROKER_SHUTTING_DOWN]", "begun[REQUEST_TIMED_OUT, REQUEST_TIMED_OUT]");
    }
}
