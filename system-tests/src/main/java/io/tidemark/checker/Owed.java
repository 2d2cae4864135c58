package io.tidemark.checker;

import io.tidemark.history.Operation;
import io.tidemark.history.Phase;
import io.tidemark.history.Step.Send;

/**
 * Which records of a log a reader that passes is owed: the committed ones, but for those that compaction may have taken,
 * because a record with the same record key lies behind them, or may lie there.
 */
final class Owed {
    private final KeyLog log;
    private final LongIntMap slots = new LongIntMap();
    /** For each record key: the highest rank of its values. */
    private final IntList highestRank = new IntList();
    /** For each record key: how many of its values are nowhere in the log, yet may be. */
    private final IntList hidden = new IntList();

    private Owed(Evidence evidence, KeyLog log) {
        this.log = log;
        for (int id = 0; id < log.valueCount(); id++) {
            if (log.recordKey(id) == Send.NO_RECORD_KEY) {
                continue;
            }
            int slot = slot(log.recordKey(id));
            highestRank.set(slot, Math.max(highestRank.get(slot), log.lastRank(id)));
            Operation writer = evidence.writer(log, id);
            if (log.lastRank(id) == KeyLog.NONE && writer != null && writer.outcome() != Phase.FAIL) {
                hidden.set(slot, hidden.get(slot) + 1);
            }
        }
    }

    /** For each rank whether a reader that passes it must have been given a record. */
    static boolean[] ranks(Evidence evidence, KeyLog log) {
        Owed owed = new Owed(evidence, log);
        boolean[] ranks = new boolean[log.rankCount()];
        for (int rank = 0; rank < ranks.length; rank++) {
            for (int i = 0; i < log.idCount(rank); i++) {
                int id = log.id(rank, i);
                ranks[rank] |= evidence.isCommitted(log, id) && !owed.isSuperseded(id);
            }
        }
        return ranks;
    }

    /** For each value whether it is committed and may never go. */
    static boolean[] values(Evidence evidence, KeyLog log) {
        Owed owed = new Owed(evidence, log);
        boolean[] values = new boolean[log.valueCount()];
        for (int id = 0; id < values.length; id++) {
            values[id] = evidence.isCommitted(log, id) && !owed.isSuperseded(id);
        }
        return values;
    }

    private boolean isSuperseded(int id) {
        if (log.recordKey(id) == Send.NO_RECORD_KEY) {
            return false;
        }
        int slot = slot(log.recordKey(id));
        return highestRank.get(slot) > log.lastRank(id) || hidden.get(slot) > 0;
    }

    private int slot(long recordKey) {
        int known = slots.get(recordKey);
        if (known != LongIntMap.ABSENT) {
            return known;
        }
        int slot = highestRank.size();
        slots.put(recordKey, slot);
        highestRank.add(KeyLog.NONE);
        hidden.add(0);
        return slot;
    }
}
