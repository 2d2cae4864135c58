package io.tidemark.core.log.segment;

/**
 * Bytes of a segment that cannot be served: one batch, or what lies between two that are sound.
 *
 * @param firstOffset first offset that cannot be read: the one behind the last sound batch in front
 * @param behindOffset first offset that can be read again
 * @param position where it starts in the file
 * @param behindPosition where the next sound batch starts; the segment's end if there is none
 * @param what is wrong
 */
public record BadStretch(long firstOffset, long behindOffset, int position, int behindPosition, String what) {}
