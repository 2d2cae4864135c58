package io.tidemark.checker;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** A value is at two offsets. Reported only where its producer did without idempotence: then a retry may do that. */
final class Duplicates implements Anomaly {
    @Override
    public void find(Evidence evidence, Findings findings) {
        for (KeyLog log : evidence.logs()) {
            places(log).forEach((id, offsets) -> findings.add(
                    AnomalyKind.DUPLICATE,
                    Standing.badUnless(evidence.isRepeatable(log, id)),
                    () -> Facts.of("key", log.key())
                            .with("value", log.value(id))
                            .with("offsets", offsets)));
        }
    }

    /** The first offsets of each value that has several. */
    private static SortedMap<Integer, List<Long>> places(KeyLog log) {
        SortedMap<Integer, List<Long>> places = new TreeMap<>();
        for (int rank = 0; rank < log.rankCount(); rank++) {
            for (int i = 0; i < log.idCount(rank); i++) {
                int id = log.id(rank, i);
                if (log.isDuplicated(id)) {
                    List<Long> offsets = places.computeIfAbsent(id, unused -> new ArrayList<>());
                    if (offsets.size() < Pair.MAX_NAMED) {
                        offsets.add(log.offset(rank));
                    }
                }
            }
        }
        return places;
    }
}
