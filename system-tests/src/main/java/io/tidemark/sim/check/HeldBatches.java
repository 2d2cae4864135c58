package io.tidemark.sim.check;

import java.util.Optional;

/** How much of what was committed a replica was seen to hold, so that each batch is looked for once. */
final class HeldBatches {
    private int generation = -1;
    private int seen;

    /** The first committed and not excused batch that the replica lacks. */
    Optional<BatchMark> firstMissing(ReplicaMirror mirror, Accountable committed) {
        if (mirror.generation() != generation) {
            generation = mirror.generation();
            seen = 0;
        }
        while (seen < committed.size()) {
            BatchMark batch = committed.batch(seen);
            if (!committed.isExcused(seen) && !mirror.holds(batch)) {
                return Optional.of(batch);
            }
            seen++;
        }
        return Optional.empty();
    }
}
