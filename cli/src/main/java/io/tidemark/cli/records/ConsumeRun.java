package io.tidemark.cli.records;

import io.tidemark.cli.Progress;
import io.tidemark.client.consumer.ConsumerRecord;
import io.tidemark.model.TopicPartition;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.ToLongFunction;

/**
 * One run of the consumer: which records are still wanted, and how far it is. One thread prints; any may ask how far.
 */
final class ConsumeRun {
    /** Writes a record. */
    interface Printer {
        void write(ConsumerRecord record, OutputStream out) throws IOException;
    }

    /**
     * The offsets of a partition that are wanted.
     *
     * @param first inclusive
     * @param end exclusive; {@link Long#MAX_VALUE} to go on for ever
     */
    record Range(long first, long end) {
        boolean isEmpty() {
            return first >= end;
        }

        /** Whether it begins at an offset that is not in the log yet. */
        boolean isBeyondTheEnd() {
            return first > end;
        }

        boolean isOpen() {
            return end == Long.MAX_VALUE;
        }
    }

    private final long limit;
    private final Printer printer;
    private final SortedMap<TopicPartition, Range> left = new TreeMap<>();
    private final long total;
    private final AtomicLong printed = new AtomicLong();
    private final AtomicLong passed = new AtomicLong();

    /** @param limit stop after so many records; 0 for no limit */
    ConsumeRun(long limit, SortedMap<TopicPartition, Range> ranges, Printer printer) {
        this.limit = limit;
        this.printer = printer;
        ranges.forEach((partition, range) -> {
            if (!range.isEmpty()) {
                left.put(partition, range);
            }
        });
        boolean open = left.values().stream().anyMatch(Range::isOpen);
        this.total = open
                ? 0
                : left.values().stream()
                        .mapToLong(range -> range.end() - range.first())
                        .sum();
    }

    boolean isDone() {
        return left.isEmpty() || (limit > 0 && printed.get() >= limit);
    }

    /** Prints those of the records that are wanted. */
    void print(List<ConsumerRecord> records, OutputStream out) throws IOException {
        for (ConsumerRecord record : records) {
            Range range = left.get(record.partition());
            if (range == null || isDone()) {
                continue;
            }
            long next = record.offset() + 1;
            if (record.offset() < range.end()) {
                printer.write(record, out);
                printed.incrementAndGet();
            }
            pass(record.partition(), range, next);
        }
    }

    /** Offsets may hold no record: the end may be reached without one (compaction). */
    void reached(ToLongFunction<TopicPartition> position) {
        for (TopicPartition partition : List.copyOf(left.keySet())) {
            Range range = left.get(partition);
            long next = position.applyAsLong(partition);
            if (range != null && next > range.first()) {
                pass(partition, range, next);
            }
        }
    }

    private void pass(TopicPartition partition, Range range, long next) {
        passed.addAndGet(Math.min(next, range.end()) - range.first());
        Range rest = new Range(next, range.end());
        if (rest.isEmpty()) {
            left.remove(partition);
        } else {
            left.put(partition, rest);
        }
    }

    /** Offsets count as the way, for gaps in them are normal; a limit counts in records. */
    Progress.Sample sample() {
        long records = printed.get();
        return limit > 0 ? Progress.Sample.of(records, limit) : new Progress.Sample(records, passed.get(), total);
    }
}
