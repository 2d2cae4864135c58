package io.tidemark.core.log.segment;

import io.tidemark.core.runtime.Invariant;
import java.util.Collection;
import java.util.Collections;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The segments of a log by base offset; never empty, the last one is active. Immutable, so that readers take no lock; the
 * segments themselves are not.
 */
public final class Segments {
    private final NavigableMap<Long, Segment> byBase;
    private final Segment active;

    private Segments(NavigableMap<Long, Segment> byBase) {
        Invariant.check(!byBase.isEmpty(), "a log has at least one segment (S48)");
        this.byBase = Collections.unmodifiableNavigableMap(byBase);
        this.active = byBase.lastEntry().getValue();
    }

    /** A log's segments; at least one. */
    public static Segments of(Collection<Segment> segments) {
        TreeMap<Long, Segment> byBase = new TreeMap<>();
        for (Segment segment : segments) {
            byBase.put(segment.base(), segment);
        }
        return new Segments(byBase);
    }

    /** The segment that is appended to. */
    public Segment active() {
        return active;
    }

    /** The oldest segment. */
    public Segment first() {
        return byBase.firstEntry().getValue();
    }

    /** The segment that holds {@code offset} if any does: the last whose base is not above it. */
    public @Nullable Segment floor(long offset) {
        return valueOf(byBase.floorEntry(offset));
    }

    /** Where to start looking for {@code offset}: {@link #floor}, or the first segment. */
    public Segment startFor(long offset) {
        Segment holder = floor(offset);
        return holder == null ? first() : holder;
    }

    /** The segment behind the one of that base, or null. */
    public @Nullable Segment after(long base) {
        return valueOf(byBase.higherEntry(base));
    }

    /** The segment in front of the one of that base, or null. */
    public @Nullable Segment before(long base) {
        return valueOf(byBase.lowerEntry(base));
    }

    /** In rising order. */
    public Collection<Segment> all() {
        return byBase.values();
    }

    /** Those whose base is at or above {@code base}, in rising order. */
    public Collection<Segment> from(long base) {
        return byBase.tailMap(base, true).values();
    }

    /** These segments and a new active one. An empty active segment is replaced. */
    public Segments withActive(Segment segment) {
        TreeMap<Long, Segment> changed = new TreeMap<>(byBase);
        if (active.sizeBytes() == 0) {
            changed.remove(active.base());
        }
        Invariant.check(
                changed.isEmpty() || changed.lastKey() < segment.base(),
                () -> "segment " + segment.base() + " is not above " + changed.lastKey());
        changed.put(segment.base(), segment);
        return new Segments(changed);
    }

    /** The segments up to and including the one of that base. */
    public Segments upTo(long base) {
        return new Segments(new TreeMap<>(byBase.headMap(base, true)));
    }

    /** The segments from the one of that base on. */
    public Segments startingWith(long base) {
        return new Segments(new TreeMap<>(byBase.tailMap(base, true)));
    }

    /** These segments with {@code replacement} in the place of the sealed {@code old} ones. */
    public Segments replaced(Collection<Segment> old, Segment replacement) {
        TreeMap<Long, Segment> changed = new TreeMap<>(byBase);
        for (Segment segment : old) {
            Invariant.check(
                    segment != active && changed.remove(segment.base(), segment),
                    () -> segment + " is no sealed segment of the log");
        }
        changed.put(replacement.base(), replacement);
        return new Segments(changed);
    }

    private static @Nullable Segment valueOf(Map.@Nullable Entry<Long, Segment> entry) {
        return entry == null ? null : entry.getValue();
    }
}
