package io.tidemark.checker;

import java.util.SortedMap;
import java.util.TreeMap;

/** A poll of any outcome returned a value that nobody sent: one case for each value, with the first poll. */
final class UnknownValues implements Anomaly {
    @Override
    public void find(Evidence evidence, Findings findings) {
        SortedMap<Integer, LongIntMap> named = new TreeMap<>();
        Evidence.forEachPoll(evidence.history(), (number, records) -> {
            if (records.size() == 0) {
                return;
            }
            KeyLog log = evidence.log(records.key());
            for (int i = 0; i < records.size(); i++) {
                long value = records.value(i);
                if (log.writer(log.id(value)) == KeyLog.NONE
                        && isNew(named.computeIfAbsent(log.key(), unused -> new LongIntMap()), value)) {
                    long offset = records.offset(i);
                    findings.add(AnomalyKind.UNKNOWN_VALUE, () -> Facts.of("key", log.key())
                            .with("value", value)
                            .with("offset", offset)
                            .with("op", evidence.operations().get(number).index()));
                }
            }
        });
    }

    private static boolean isNew(LongIntMap named, long value) {
        if (named.get(value) != LongIntMap.ABSENT) {
            return false;
        }
        named.put(value, 1);
        return true;
    }
}
