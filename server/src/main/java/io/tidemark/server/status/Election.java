package io.tidemark.server.status;

import io.tidemark.model.TopicPartition;

/**
 * A change of a partition's leader, as this broker was told of it.
 *
 * @param atMs when it was told, in milliseconds since 1970
 * @param from broker id of the leader before, or -1
 * @param to broker id of the leader since, or -1
 * @param leaderEpoch since
 * @param reason for people: a guess from what was known before and after
 */
public record Election(long atMs, TopicPartition partition, int from, int to, int leaderEpoch, String reason) {}
