package io.tidemark.core.checkpoint;

import io.tidemark.runtime.Randomness;
import java.util.HexFormat;
import java.util.Optional;

/**
 * Whom a log directory belongs to.
 *
 * @param clusterId id of the cluster whose records it holds
 * @param brokerId broker whose directory it is
 * @param directoryId identity of the directory: another disk under the same path has another one (DESIGN section 6)
 */
public record MetaProperties(String clusterId, int brokerId, String directoryId) {
    public MetaProperties {
        if (clusterId.isEmpty() || brokerId < 0 || directoryId.isEmpty()) {
            throw new IllegalArgumentException(
                    "a log directory names its cluster, broker and itself: " + clusterId + ", " + brokerId);
        }
    }

    /** A random directory id: 32 hexadecimal digits. */
    public static String newDirectoryId(Randomness randomness) {
        HexFormat hex = HexFormat.of();
        return hex.toHexDigits(randomness.nextLong()) + hex.toHexDigits(randomness.nextLong());
    }

    /** Why a broker must not use the directory, or empty if it is its own. */
    public Optional<Mismatch> mismatch(String ownClusterId, int ownBrokerId) {
        if (!clusterId.equals(ownClusterId)) {
            return Optional.of(new OtherCluster(clusterId, ownClusterId));
        }
        if (brokerId != ownBrokerId) {
            return Optional.of(new OtherBroker(brokerId, ownBrokerId));
        }
        return Optional.empty();
    }

    /** The directory is somebody else's. */
    public sealed interface Mismatch {
        /** One sentence for an operator. */
        String message();
    }

    /** It holds records of another cluster. */
    public record OtherCluster(String found, String own) implements Mismatch {
        @Override
        public String message() {
            return "the log directory belongs to cluster " + found + ", and this broker to cluster " + own;
        }
    }

    /** It holds the records of another broker of the cluster. */
    public record OtherBroker(int found, int own) implements Mismatch {
        @Override
        public String message() {
            return "the log directory belongs to broker " + found + ", and this is broker " + own;
        }
    }
}
