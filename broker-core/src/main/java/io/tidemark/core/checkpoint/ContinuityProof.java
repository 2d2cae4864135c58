package io.tidemark.core.checkpoint;

import io.tidemark.core.config.FlushMode;
import java.util.List;
import java.util.Optional;

/**
 * Decides whether a new process can prove that its log directories hold everything that its predecessor had
 * acknowledged under its last broker epoch (DESIGN section 6, "Incarnation").
 *
 * <p>Each directory has to prove it: its stamp is whole and names this directory, and the predecessor stopped cleanly,
 * or it ran on the same boot of the kernel (the page cache survived it), or it forced before it acknowledged. All
 * directories have to name the same epoch. A storage failure removed the stamp, so it proves nothing.
 */
public final class ContinuityProof {
    private ContinuityProof() {}

    /**
     * What one log directory was found to hold at the start.
     *
     * @param directoryId from its {@code meta.properties}
     * @param cleanShutdown whether the clean-shutdown marker was there
     */
    public record Evidence(String directoryId, StoredValue<BrokerEpochStamp> stamp, boolean cleanShutdown) {}

    /** The broker epoch that the registration may claim to continue, or empty if nothing is proven. */
    public static Optional<Long> continuedEpoch(
            List<Evidence> directories, Optional<String> currentBootId, FlushMode flushMode) {
        Optional<Long> common = Optional.empty();
        for (Evidence directory : directories) {
            Optional<Long> epoch = directory
                    .stamp()
                    .value()
                    .filter(stamp -> stamp.directoryId().equals(directory.directoryId()))
                    .filter(stamp -> directory.cleanShutdown()
                            || flushMode == FlushMode.SYNC
                            || isSameBoot(stamp.bootId(), currentBootId))
                    .map(BrokerEpochStamp::brokerEpoch);
            if (epoch.isEmpty() || (common.isPresent() && !common.equals(epoch))) {
                return Optional.empty();
            }
            common = epoch;
        }
        return common;
    }

    private static boolean isSameBoot(Optional<String> stamped, Optional<String> current) {
        return stamped.isPresent() && stamped.equals(current);
    }
}
