package io.tidemark.sim.check;

/**
 * What ZooKeeper records of a broker.
 *
 * @param incarnation entries with it are valid
 * @param processNonce of the process that it was last recorded for
 */
record RecordedLife(long incarnation, long processNonce) {}
