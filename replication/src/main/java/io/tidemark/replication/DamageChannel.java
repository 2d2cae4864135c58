package io.tidemark.replication;

import io.tidemark.model.ErrorCode;
import io.tidemark.replication.partition.DamageReport;
import java.util.function.Consumer;

/**
 * The way to the controller for damaged logs. Never blocks and never throws; the answer is given exactly once, on any thread.
 */
@FunctionalInterface
public interface DamageChannel {
    /**
     * @param answer NONE when the controller has taken the replica out of both sets, or will tell of another leader epoch
     *     soon; else why not, for example INELIGIBLE_REPLICA for the last copy that can lead
     */
    void report(DamageReport report, Consumer<ErrorCode> answer);
}
