package io.tidemark.core.checkpoint;

import io.tidemark.core.config.FlushMode;
import java.util.Optional;

/**
 * Under which registration a log directory was last in use (DESIGN section 6, "Incarnation").
 *
 * @param brokerEpoch broker epoch of the last registration
 * @param directoryId directory id at that time: a stamp that was copied to another disk proves nothing
 * @param bootId boot id of the kernel at that time, or empty where there is none
 * @param flushMode {@code log.flush.mode} of that process: whether it forced what it counted
 */
public record BrokerEpochStamp(long brokerEpoch, String directoryId, Optional<String> bootId, FlushMode flushMode) {}
