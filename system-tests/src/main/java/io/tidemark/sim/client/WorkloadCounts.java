package io.tidemark.sim.client;

/**
 * What came of a workload.
 *
 * @param sent records
 * @param acknowledged records, for all in-sync replicas
 * @param weaklyAcknowledged records, by a leader alone or by nobody
 * @param failed sends of records that were certainly not written
 * @param unknown sends of records that may have been written; without those of clients that died
 * @param read records that polls returned
 * @param deaths of clients
 */
public record WorkloadCounts(
        long sent, long acknowledged, long weaklyAcknowledged, long failed, long unknown, long read, long deaths) {}
