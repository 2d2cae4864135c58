package io.tidemark.sim.check;

import io.tidemark.model.Member;
import io.tidemark.model.PartitionState;
import io.tidemark.model.TopicPartition;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * One write of a partition's state to ZooKeeper.
 *
 * @param before what it replaces; null for the first
 * @param controllerEpoch that the controller epoch's node had then
 * @param lives what was recorded of the brokers then
 * @param moment when it was written, as {@link Disasters} counts
 */
record StateStep(
        @Nullable PartitionState before,
        PartitionState after,
        int controllerEpoch,
        SortedMap<Integer, RecordedLife> lives,
        long moment) {
    StateStep {
        lives = Collections.unmodifiableSortedMap(new TreeMap<>(lives));
    }

    /** How the leader came to lead. */
    enum Kind {
        CREATED,
        /** The leader epoch stays. */
        SAME_EPOCH,
        NOBODY_LEADS,
        /** From the in-sync set, by an entry that stood there. */
        CLEAN,
        /** From the eligible set, by an entry that stood there. */
        ELIGIBLE,
        /** By a new entry, as none of those that stood there was valid. */
        RECOVERY,
        /** By a new entry, though somebody valid was on record, or it was not. */
        UNCLEAN
    }

    TopicPartition partition() {
        return after.partition();
    }

    Kind kind() {
        PartitionState old = before;
        if (old == null) {
            return Kind.CREATED;
        }
        if (old.leaderEpoch() == after.leaderEpoch()) {
            return Kind.SAME_EPOCH;
        }
        if (!after.hasLeader()) {
            return Kind.NOBODY_LEADS;
        }
        Member leader = member(after.isr(), after.leader());
        if (leader != null && old.isr().contains(leader)) {
            return Kind.CLEAN;
        }
        if (leader != null && old.eligible().contains(leader)) {
            return Kind.ELIGIBLE;
        }
        List<Member> onRecord = new ArrayList<>(old.isr());
        onRecord.addAll(old.eligible());
        boolean wasOnRecord = member(onRecord, after.leader()) != null;
        return wasOnRecord && onRecord.stream().noneMatch(this::isValid) ? Kind.RECOVERY : Kind.UNCLEAN;
    }

    /** Whether the entry was that of the broker's recorded life, or of one that was about to be recorded. */
    boolean isValid(Member entry) {
        RecordedLife life = lives.get(entry.brokerId());
        return life != null && entry.incarnation() >= life.incarnation();
    }

    /** The broker's entry; null if it has none. */
    static @Nullable Member member(List<Member> members, int brokerId) {
        for (Member member : members) {
            if (member.brokerId() == brokerId) {
                return member;
            }
        }
        return null;
    }
}
