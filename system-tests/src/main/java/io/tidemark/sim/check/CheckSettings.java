package io.tidemark.sim.check;

import io.tidemark.core.config.FlushMode;
import io.tidemark.core.config.TruncationMode;
import io.tidemark.model.TopicPartition;
import java.util.function.Function;

/**
 * What a run promises.
 *
 * @param flushMode in sync mode a power loss takes nothing that was committed
 * @param truncation the mode that is known to lose records is let off what it breaks long before the loss
 * @param unclean whether a topic may be led by whoever lacks records
 * @param cleanup what becomes of a partition's old records
 */
public record CheckSettings(
        FlushMode flushMode, TruncationMode truncation, Unclean unclean, Function<TopicPartition, Cleanup> cleanup) {
    /** Whether unclean elections are allowed. */
    public enum Unclean {
        FORBIDDEN,
        ALLOWED
    }

    /** No topic is compacted, no election may be unclean. */
    public static CheckSettings of(FlushMode flushMode, TruncationMode truncation) {
        return new CheckSettings(flushMode, truncation, Unclean.FORBIDDEN, partition -> Cleanup.DELETE);
    }
}
