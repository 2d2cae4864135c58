package io.tidemark.model;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The rules without which an acknowledged record is lost, or two readers see different ones, each at the one place where
 * it is asked for. A broker keeps them all. Tests and the simulator waive one ({@link SafetyRules#without}) to show that
 * they would notice: the waived rule is a planted fault.
 *
 * <p>{@code docs/rules.md} has the rules that these belong to. One planted fault has no constant: cutting to the high
 * watermark is {@code replica.truncation=high-watermark}.
 *
 * <p>Two rules are a second line behind another one and are never the only thing between a fault and a loss. What is
 * planted there is both waived together; {@link #shieldedBy} names the first line.
 */
public enum SafetyRule {
    /**
     * A leader answers a follower's fetch only if both are in the same leader epoch. Without it the role alone counts: a
     * fetch that a follower sent in an earlier epoch proves records that it has cut since, and a follower that has not
     * heard of the new epoch is given the records of that.
     */
    FETCH_IN_ONE_EPOCH("I5", "no fetch-epoch check"),
    /**
     * A fetch is compared with the leader's history by the epoch of the last fetched record before anything else is done
     * for it. Without it a follower keeps records that the leader never had, behind them what the leader sends, and counts
     * for both.
     */
    DIVERGENCE_FIRST("I5", "no last-epoch check"),
    /**
     * What followers have proved is forgotten with the leader's role. Without it a leader goes by what they proved in its
     * last one, and commits what they have cut since.
     */
    PROGRESS_OF_THIS_EPOCH("I6", "high watermark advance not fenced"),
    /**
     * A replica joins the in-sync set with everything up to the start of the leader's epoch. Without it the leader's own
     * high watermark is enough, which lags behind what was committed: who joins may lack that, and is elected.
     */
    JOIN_FROM_EPOCH_START("I7", "in-sync set grows without the epoch-start rule"),
    /**
     * The high watermark waits for a member until the controller has taken it out. Without it the leader stops waiting when
     * it proposes so; the member is still elected, without what was committed meanwhile.
     */
    SHRINK_WHEN_CONFIRMED("I8", "shrink before confirmation"),
    /**
     * The high watermark waits for a new member from before it is proposed. Without it the leader waits once it hears that
     * the member is in; the member is elected before that, without what was committed meanwhile.
     */
    GROWTH_WHEN_PROPOSED("I8", "growth counted late"),
    /**
     * The min-ISR gate counts members that are confirmed and not proposed for removal. Without it a member that is proposed,
     * in either way, counts too: records are acknowledged on fewer copies than the minimum.
     */
    GATE_COUNTS_CONFIRMED("I8", "in-flight member counted for the gate"),
    /**
     * The minimum is the one in the partition's state, which changes in the same write as the eligible set. Without it a
     * leader goes by its own {@code min.insync.replicas}, at its default of 1: it acknowledges while the controller holds
     * those who left to have everything.
     */
    MIN_ISR_OF_THE_STATE("I12", "min ISR from the configuration"),
    /**
     * A broker obeys pushes for its present registration only. Without it a push for an earlier one, delivered late, has a
     * broker that has forgotten its epochs follow a deposed leader and cut.
     */
    PUSH_FOR_THIS_LIFE("I10", "push for an older broker epoch obeyed after a restart"),
    /**
     * A follower takes no batch whose leader epoch is above that of its fetch. Without it records of a later leader stand
     * behind what that leader does not have. Shielded: a leader that keeps {@link #FETCH_IN_ONE_EPOCH}, also where it reads
     * for a fetch that waited, never sends one.
     */
    BATCH_NOT_ABOVE_FETCH("I5", "batch above the fetch's epoch accepted", FETCH_IN_ONE_EPOCH),
    /**
     * A produce with acks=all is answered when its records are below the high watermark. Without it the append is enough,
     * and the only copy is the leader's.
     */
    ACK_WHEN_COMMITTED("I13", "acknowledged before the in-sync set has it"),
    /**
     * A broker that does not prove that its logs are those on record gets a new incarnation. Without it a wiped or
     * shortened log inherits the places that the lost one had earned, and is elected.
     */
    NEW_LOGS_NEW_INCARNATION("I11", "incarnation change ignored"),
    /**
     * A refused proposal is answered with a state of a greater partition epoch, and only such a state releases a leader.
     * Without it the unchanged state is the answer: the leader believes the proposal dead, and a late copy of it is still
     * carried out, under a leader that does not wait for the member that joins.
     */
    REFUSAL_RAISES_EPOCH("I8", "proposal released by a refusal with an unchanged partition epoch"),
    /**
     * A void entry stays on record: it cannot be elected, and a recovery election waits for its broker. Without it an entry
     * goes with its incarnation, and the election among those who are left misses the longest log.
     */
    VOID_STAYS_ON_RECORD("I12", "void entry deleted instead of kept"),
    /**
     * Every change of the in-sync set computes the eligible set anew, that of an election too. Without it who is lost with
     * the old leader is on no record, and a recovery election does not wait for it.
     */
    ELIGIBLE_ON_EVERY_CHANGE("I12", "eligible set not computed on an election"),
    /**
     * A broker of a new incarnation leaves the in-sync set even if nobody saw it gone. Without it a member with an empty
     * log stays beside a leader; a leader of a new incarnation goes all the same.
     */
    NEW_INCARNATION_LEAVES_ISR("I11", "member of a new incarnation stays in the in-sync set"),
    /**
     * A committed proposal copies the recorded entry of every member that stays. Without it a void member that stays becomes
     * valid by somebody else's proposal, and is elected with the log that it has. Shielded: while {@link
     * #NEW_INCARNATION_LEAVES_ISR} is kept, no void member stays beside a leader.
     */
    STAYING_ENTRY_COPIED(
            "I11", "committed proposal writes the new incarnation of a member that stays", NEW_INCARNATION_LEAVES_ISR),
    /**
     * With {@code log.flush.mode=sync} a replica counts with its forced end. Without it records are acknowledged that a
     * power loss takes from every copy.
     */
    SYNC_COUNTS_FORCED("I12", "unforced end counted in sync mode"),
    /**
     * The cleaner stays below the high watermark. Without it a record that was committed is thrown away for a later one of
     * its key that is never committed, and is cut.
     */
    CLEAN_BELOW_HW("S69", "cleaning above the high watermark"),
    /**
     * A follower that the leader does not share an epoch with walks back by epochs until both agree. Without it it cuts to
     * its own high watermark, which lags behind what was committed.
     */
    EPOCH_WALK("I3", "one look-up, then the high watermark"),
    /**
     * A member is added only if the broker epoch that its leader saw fetch is that of its live registration. Without it the
     * log that caught up may be gone: the broker joins, and is elected, with an empty one.
     */
    PROPOSED_EPOCH_IS_LIVE("I11", "member added under an earlier broker epoch"),
    /**
     * Lowering the minimum empties the eligible set. Without it those who left before the minimum fell are elected without
     * what was acknowledged since.
     */
    LOWERED_MIN_ISR_CLEARS("I12", "eligible set outlives a lowered min ISR");

    private final String rule;
    private final String fault;
    private final @Nullable SafetyRule firstLine;

    SafetyRule(String rule, String fault) {
        this(rule, fault, null);
    }

    SafetyRule(String rule, String fault, @Nullable SafetyRule firstLine) {
        this.rule = rule;
        this.fault = fault;
        this.firstLine = firstLine;
    }

    /** The rule of {@code docs/rules.md} that this belongs to (I1 to I22), or a line of the log's own (S69). */
    public String rule() {
        return rule;
    }

    /** For people: the fault that waiving it plants. */
    public String fault() {
        return fault;
    }

    /** The rule that has to be waived with this one before anything can be lost. */
    public Optional<SafetyRule> shieldedBy() {
        return Optional.ofNullable(firstLine);
    }
}
