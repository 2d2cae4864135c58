package io.tidemark.core.log;

import io.tidemark.core.io.Files;
import io.tidemark.core.log.cleaner.CleanableLog.Replacement;
import io.tidemark.core.log.cleaner.SegmentSwap;
import io.tidemark.core.log.segment.Segment;
import io.tidemark.core.log.segment.SegmentFiles;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The steps of {@link SegmentSwap}, between which the directory is forced without the log's lock: no append waits for that. Appends
 * and rolls may come in between. Whoever is about to change anything in front of the active segment {@linkplain #settle() settles}
 * the swap first, so that a crash never finds a swap of segments that were truncated or removed since.
 *
 * <p>The new segment is published under its interim names first: the name of the first old one is free only when that is gone, and
 * readers must find one or the other meanwhile. Guarded by the log's lock; an I/O error is for the caller to fence the log with.
 */
final class OpenSwap {
    private final LogState state;
    private final DelayedDeletion deletion;
    private @Nullable Replacement replacement;
    private @Nullable SegmentFiles files;
    private @Nullable Segment interim;

    OpenSwap(LogState state, DelayedDeletion deletion) {
        this.state = state;
        this.deletion = deletion;
    }

    /** Step 2, but for the force. */
    void begin(Replacement begun) throws IOException {
        replacement = begun;
        interim = null;
        files = SegmentSwap.commit(
                state.space.io(), state.space.directory(), begun.first().base(), begun.endBase());
    }

    /**
     * Step 3, but for the force: readers find the new segment from now on.
     *
     * @return false if the swap was settled meanwhile, and is none any more
     */
    boolean publish(Replacement begun) throws IOException {
        SegmentFiles swap = files;
        if (replacement != begun || swap == null) {
            return false;
        }
        Segment opened = Segment.open(state.space, swap, begun.first().startPosition(), state.config());
        publish(begun.segments(), opened);
        deletion.discard(begun.segments());
        interim = opened;
        return true;
    }

    /** Step 4; nothing happens if the swap was settled meanwhile, which did it. */
    void finish(Replacement begun) throws IOException {
        Segment opened = interim;
        if (replacement != begun || opened == null) {
            return;
        }
        opened.moveTo(new SegmentFiles(state.space.directory(), opened.base()));
        publish(List.of(opened), Segment.open(state.space, opened.base(), opened.startPosition(), state.config()));
        forget();
    }

    /** Ends a swap that is under way, durably: takes it back if nobody has seen it, finishes it if readers have. */
    void settle() throws IOException {
        Replacement begun = replacement;
        SegmentFiles swap = files;
        if (begun == null || swap == null) {
            return;
        }
        Files io = state.space.io();
        if (interim == null) {
            SegmentSwap.revoke(io, state.space.directory(), swap);
            forget();
        } else {
            io.forceDirectory(state.space.directory());
            finish(begun);
        }
    }

    private void forget() {
        replacement = null;
        files = null;
        interim = null;
    }

    private void publish(Collection<Segment> old, Segment segment) {
        LogView view = state.view();
        state.publish(
                new LogView(view.segments().replaced(old, segment), view.end(), view.startOffset(), view.epochs()));
    }
}
