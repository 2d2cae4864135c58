package io.tidemark.core.log;

import java.util.Optional;

/**
 * What one stretch of scrubbing came to.
 *
 * @param next where to go on; empty at the end of what is sealed
 * @param readBytes that were checked
 * @param found damage that was not known before
 */
public record Scrubbed(Optional<ScrubPoint> next, long readBytes, Optional<LogDamage> found) {}
