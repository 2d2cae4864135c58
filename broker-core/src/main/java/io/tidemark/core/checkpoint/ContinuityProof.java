package io.tidemark.core.checkpoint;

import io.tidemark.core.config.FlushMode;
import io.tidemark.model.TopicPartition;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides whether a new process can prove that its log directories hold everything that its predecessor had
 * acknowledged under its last broker epoch (DESIGN section 6, "Incarnation").
 *
 * <p>Each directory has to prove it: its stamp is whole and names this directory, and the predecessor stopped cleanly,
 * or it ran on the same boot of the kernel (the page cache survived it), or it forced whatever it counted: its own {@code
 * log.flush.mode}, as the stamp has it, was sync; what the new process is configured for says nothing about the old one. All
 * directories have to name the same epoch. A storage failure removed the stamp, so it proves nothing. What was proven is
 * refuted by a log that does not {@linkplain #reachesCommitted reach} what was committed.
 */
public final class ContinuityProof {
    private static final Logger LOG = LoggerFactory.getLogger(ContinuityProof.class);

    private ContinuityProof() {}

    /**
     * What one log directory was found to hold at the start.
     *
     * @param directoryId from its {@code meta.properties}
     * @param cleanShutdown whether the clean-shutdown marker was there
     */
    public record Evidence(String directoryId, StoredValue<BrokerEpochStamp> stamp, boolean cleanShutdown) {}

    /** The broker epoch that the registration may claim to continue, or empty if nothing is proven. */
    public static Optional<Long> continuedEpoch(List<Evidence> directories, Optional<String> currentBootId) {
        Optional<Long> common = Optional.empty();
        for (Evidence directory : directories) {
            Optional<Long> epoch = directory
                    .stamp()
                    .value()
                    .filter(stamp -> stamp.directoryId().equals(directory.directoryId()))
                    .filter(stamp -> directory.cleanShutdown()
                            || stamp.flushMode() == FlushMode.SYNC
                            || isSameBoot(stamp.bootId(), currentBootId))
                    .map(BrokerEpochStamp::brokerEpoch);
            if (epoch.isEmpty() || (common.isPresent() && !common.equals(epoch))) {
                return Optional.empty();
            }
            common = epoch;
        }
        return common;
    }

    /**
     * The counter-proof: whether the logs still reach what the predecessor had recorded as committed. They do not if a file
     * was lost, removed, or damaged and cut; then no stamp may vouch for them. A predecessor that cut a log below its high
     * watermark (after an unclean or recovery election) and did not live to record the lower one is taken for that, too.
     *
     * @param highWatermarks as checkpointed
     * @param logEnd end offset of a loaded log; empty if there is none
     */
    public static boolean reachesCommitted(
            SortedMap<TopicPartition, Long> highWatermarks, Function<TopicPartition, OptionalLong> logEnd) {
        for (Map.Entry<TopicPartition, Long> committed : highWatermarks.entrySet()) {
            OptionalLong end = logEnd.apply(committed.getKey());
            if (committed.getValue() > end.orElse(0)) {
                LOG.warn(
                        "{} was committed up to {} and ends at {} now: these logs are not what they were",
                        committed.getKey(),
                        committed.getValue(),
                        end.orElse(0));
                return false;
            }
        }
        return true;
    }

    private static boolean isSameBoot(Optional<String> stamped, Optional<String> current) {
        return stamped.isPresent() && stamped.equals(current);
    }
}
