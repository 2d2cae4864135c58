package io.tidemark.sim.check;

import io.tidemark.core.config.FlushMode;
import io.tidemark.model.Member;
import io.tidemark.model.PartitionState;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * When acks=all is answered with success the record is committed, and as many members of the ISR that the leader has confirmed hold
 * it as the state's min ISR says, in sync mode durably (I6, I8, I13). A copy that a disaster took since the leader epoch began had
 * been proved, and counts.
 *
 * <p>The high watermark may pass a record and the leader adopt another state within one event: then the state before it counts.
 */
final class AckedByEnough implements Invariant {
    private final FlushMode flushMode;

    AckedByEnough(FlushMode flushMode) {
        this.flushMode = flushMode;
    }

    @Override
    public String name() {
        return "AckedByEnough";
    }

    @Override
    public void afterEvent(Look look) {
        for (Acknowledged answer : look.acknowledged()) {
            ReplicaMirror leader = look.mirrors().of(answer.partition(), answer.brokerId());
            // What a process held that ended within the event of its answer was not seen any more.
            if (leader != null && leader.isRunning() && !look.hadUnclean(answer.partition())) {
                check(look, answer, leader.stateBefore());
            }
        }
    }

    private void check(Look look, Acknowledged answer, @Nullable PartitionState before) {
        Optional<BatchMark> batch = look.accountable(answer.partition()).at(answer.offset());
        RecordMark record = batch.map(found -> found.recordAt(answer.offset())).orElse(null);
        if (record == null || !answer.value().equals(record.value())) {
            throw new Violation(
                    name(),
                    "I13: " + text(answer) + ", where "
                            + batch.map(BatchMark::text).orElse("nothing") + " is committed");
        }
        if (!isEnough(look, answer, answer.confirmed()) && !isEnough(look, answer, before)) {
            throw new Violation(
                    name(),
                    "I13: " + text(answer) + ", which too few members hold" + durably() + " of what it had confirmed: "
                            + answer.confirmed());
        }
    }

    private boolean isEnough(Look look, Acknowledged answer, @Nullable PartitionState confirmed) {
        if (confirmed == null) {
            return false;
        }
        int copies = 0;
        for (Member member : confirmed.isr()) {
            boolean holds = holds(look, answer, member.brokerId())
                    || look.struckSince(answer.partition(), member.brokerId(), confirmed.leaderEpoch());
            copies += holds ? 1 : 0;
        }
        return copies >= confirmed.effectiveMinIsr();
    }

    private boolean holds(Look look, Acknowledged answer, int brokerId) {
        ReplicaMirror mirror = look.mirrors().of(answer.partition(), brokerId);
        if (mirror == null || !mirror.holds(answer.offset(), answer.value())) {
            return false;
        }
        return flushMode == FlushMode.ASYNC || answer.offset() < mirror.forcedEnd();
    }

    private String durably() {
        return flushMode == FlushMode.SYNC ? " durably" : "";
    }

    private static String text(Acknowledged answer) {
        return "broker " + answer.brokerId() + " acknowledged " + answer.value() + "@" + answer.offset() + " of "
                + answer.partition();
    }
}
