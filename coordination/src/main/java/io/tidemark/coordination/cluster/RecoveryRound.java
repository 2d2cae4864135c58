package io.tidemark.coordination.cluster;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A recovery election that is under way for one partition (DESIGN section 6): every broker of ISR + eligible was asked,
 * under its current broker epoch, how far its log goes.
 *
 * @param round number of the round; answers to another one do not count
 * @param asked broker epoch by broker id
 * @param answers what came so far, by broker id
 */
public record RecoveryRound(long round, SortedMap<Integer, Long> asked, SortedMap<Integer, LogEnd> answers) {
    public RecoveryRound {
        asked = Collections.unmodifiableSortedMap(new TreeMap<>(asked));
        answers = Collections.unmodifiableSortedMap(new TreeMap<>(answers));
    }

    RecoveryRound withAnswer(int brokerId, LogEnd end) {
        SortedMap<Integer, LogEnd> more = new TreeMap<>(answers);
        more.put(brokerId, end);
        return new RecoveryRound(round, asked, more);
    }

    boolean isComplete() {
        return answers.keySet().equals(asked.keySet());
    }
}
