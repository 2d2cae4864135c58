package io.tidemark.sim.check;

import io.tidemark.model.TopicPartition;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;

/** No log is cleaned further than the highest high watermark that this replica ever had (DESIGN section 3). */
final class CleanedBelowHighWatermark implements Invariant {
    private final SortedMap<TopicPartition, SortedMap<Integer, Long>> highest = new TreeMap<>();

    @Override
    public String name() {
        return "CleanedBelowHighWatermark";
    }

    @Override
    public void afterEvent(Look look) {
        for (ReplicaMirror mirror : look.changed()) {
            SortedMap<Integer, Long> marks = highest.computeIfAbsent(mirror.partition(), unseen -> new TreeMap<>());
            // Cleaning changes nothing by which a replica is looked at: it was done under the mark before this one.
            long bound = marks.getOrDefault(mirror.brokerId(), mirror.highWatermark());
            marks.merge(mirror.brokerId(), mirror.highWatermark(), Math::max);
            OptionalLong cleaned = mirror.cleanedTo();
            if (cleaned.isPresent() && cleaned.getAsLong() > bound) {
                throw new Violation(
                        name(),
                        "I18: broker " + mirror.brokerId() + " cleaned " + mirror.partition() + " up to "
                                + cleaned.getAsLong() + ", and its high watermark was never above " + bound);
            }
        }
    }
}
