package io.tidemark.replication.partition;

import io.tidemark.model.TopicId;
import io.tidemark.model.TopicPartition;

/**
 * What the controller is told about a damaged log (DESIGN section 3).
 *
 * @param leaderEpoch in which this replica leads or follows
 */
public record DamageReport(TopicId topicId, TopicPartition partition, int leaderEpoch) {}
