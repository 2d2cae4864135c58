package io.tidemark.replication;

import io.tidemark.model.ErrorCode;
import io.tidemark.model.PartitionState;
import io.tidemark.replication.partition.IsrProposal;
import java.util.function.Consumer;

/**
 * The way to the controller for in-sync set changes. Never blocks and never throws; the answer is given exactly once, on
 * any thread. It says only what the controller said: whether that releases the proposal is for the leader to judge.
 */
@FunctionalInterface
public interface IsrChannel {
    void propose(IsrProposal proposal, Consumer<Answer> answer);

    /** What came back. */
    sealed interface Answer {
        /** The state after the controller's decision. */
        record State(PartitionState state) implements Answer {}

        /** No answer: timeout, no controller, or a refusal without a state. The proposal stays in doubt. */
        record Failed(ErrorCode error) implements Answer {}
    }
}
