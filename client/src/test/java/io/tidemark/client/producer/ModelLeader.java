package io.tidemark.client.producer;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemark.client.producer.FakeCluster.Produced;
import io.tidemark.model.ErrorCode;
import io.tidemark.record.LogRecord;
import io.tidemark.record.RecordBatch;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * What a leader does with produced batches: it refuses a batch of which a record is {@code bad}, before it looks at anything else;
 * then it wants the producer's next sequence, or knows one of the last batches again; else it appends. Answers may come late, in
 * another order, or not at all.
 */
final class ModelLeader {
    /** How likely it fails otherwise, of 100: refuses, loses the request, loses the answer. */
    record Faults(int refusesPercent, int losesRequestsPercent, int losesAnswersPercent) {
        static final Faults NONE = new Faults(0, 0, 0);
    }

    private record Known(int sequence, int records, long baseOffset) {}

    private record Answer(Produced produced, ErrorCode error, long baseOffset) {
        void give() {
            if (error == ErrorCode.REQUEST_TIMED_OUT) {
                produced.breakStream();
            } else if (error == ErrorCode.NONE) {
                produced.succeed(baseOffset);
            } else {
                produced.fail(error);
            }
        }
    }

    final List<String> log = new ArrayList<>();
    int batches;
    private final Map<Long, List<Known>> producers = new HashMap<>();
    private final List<Answer> answers = new ArrayList<>();
    private final Random random;
    private final Faults faults;

    ModelLeader(Random random, Faults faults) {
        this.random = random;
        this.faults = faults;
    }

    /** Takes requests in their order. */
    void take(List<Produced> produced) {
        produced.forEach(each -> answers.add(handle(each)));
    }

    /** Gives one of the answers that are due; false if there is none. */
    boolean giveOne() {
        if (answers.isEmpty()) {
            return false;
        }
        answers.remove(random.nextInt(answers.size())).give();
        return true;
    }

    /** The topic is created again: what was known is not. */
    void forget() {
        producers.clear();
    }

    private Answer handle(Produced produced) {
        batches++;
        if (random.nextInt(100) < faults.losesRequestsPercent()) {
            return new Answer(produced, ErrorCode.REQUEST_TIMED_OUT, -1);
        }
        RecordBatch batch = produced.batch();
        List<String> names = names(batch);
        if (names.stream().anyMatch(name -> name.startsWith("bad"))) {
            return new Answer(produced, ErrorCode.INVALID_RECORD, -1);
        }
        if (random.nextInt(100) < faults.refusesPercent()) {
            return new Answer(produced, ErrorCode.NOT_ENOUGH_REPLICAS, -1);
        }
        ErrorCode wrong = batch.hasProducerId() ? sequenceError(batch) : ErrorCode.NONE;
        Known repeated = batch.hasProducerId() ? repeated(batch) : null;
        if (repeated == null && wrong != ErrorCode.NONE) {
            return new Answer(produced, wrong, -1);
        }
        long baseOffset = repeated == null ? append(batch, names) : repeated.baseOffset();
        boolean lost = random.nextInt(100) < faults.losesAnswersPercent();
        return new Answer(produced, lost ? ErrorCode.REQUEST_TIMED_OUT : ErrorCode.NONE, baseOffset);
    }

    private long append(RecordBatch batch, List<String> names) {
        long baseOffset = log.size();
        log.addAll(names);
        if (batch.hasProducerId()) {
            known(batch).add(new Known(batch.baseSequence(), names.size(), baseOffset));
        }
        return baseOffset;
    }

    private List<Known> known(RecordBatch batch) {
        return producers.computeIfAbsent(batch.producerId(), id -> new ArrayList<>());
    }

    private ErrorCode sequenceError(RecordBatch batch) {
        List<Known> known = known(batch);
        if (known.isEmpty()) {
            return batch.baseSequence() == 0 ? ErrorCode.NONE : ErrorCode.UNKNOWN_PRODUCER_ID;
        }
        Known last = known.get(known.size() - 1);
        return batch.baseSequence() == last.sequence() + last.records()
                ? ErrorCode.NONE
                : ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER;
    }

    private @Nullable Known repeated(RecordBatch batch) {
        List<Known> known = known(batch);
        return known.subList(Math.max(0, known.size() - 5), known.size()).stream()
                .filter(each -> each.sequence() == batch.baseSequence() && each.records() == batch.recordCount())
                .findFirst()
                .orElse(null);
    }

    static List<String> names(RecordBatch batch) {
        List<String> names = new ArrayList<>();
        for (LogRecord record : batch.records()) {
            names.add(UTF_8.decode(record.value()).toString());
        }
        return names;
    }
}
