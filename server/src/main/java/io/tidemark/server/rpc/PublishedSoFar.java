package io.tidemark.server.rpc;

import io.tidemark.model.TopicPartition;
import java.util.Collections;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Which records of a stream are acknowledged. Pure; holds a number for each record that is acknowledged before an earlier one
 * is, so no more than may be open.
 */
final class PublishedSoFar {
    private final SortedMap<TopicPartition, Range> ranges = new TreeMap<>();
    private final SortedSet<Long> outOfTurn = new TreeSet<>();
    private long read;
    private long firstUnacknowledged;
    private long acknowledged;

    /** The stream's records in one partition; offsets are -1 with acks=0. */
    record Range(long records, long firstOffset, long lastOffset) {
        private Range and(Range later) {
            return new Range(records + later.records, firstOffset, later.lastOffset);
        }
    }

    /** A record was read; answers its number, from 0. */
    long read() {
        return read++;
    }

    /** Records of one partition are acknowledged in their order. */
    void acknowledged(long number, TopicPartition partition, long offset) {
        acknowledged++;
        ranges.merge(partition, new Range(1, offset, offset), Range::and);
        outOfTurn.add(number);
        while (outOfTurn.remove(firstUnacknowledged)) {
            firstUnacknowledged++;
        }
    }

    /** All records before this one are acknowledged, and it is not. */
    long firstUnacknowledged() {
        return firstUnacknowledged;
    }

    long acknowledged() {
        return acknowledged;
    }

    SortedMap<TopicPartition, Range> ranges() {
        return Collections.unmodifiableSortedMap(ranges);
    }
}
