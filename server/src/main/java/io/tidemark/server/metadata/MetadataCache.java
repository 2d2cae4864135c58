package io.tidemark.server.metadata;

import io.tidemark.model.ClusterUpdate;
import java.util.concurrent.atomic.AtomicReference;

/** Holds the latest {@link ClusterView}. Thread-safe; readers take no lock. */
public final class MetadataCache {
    private final AtomicReference<ClusterView> view = new AtomicReference<>(ClusterView.EMPTY);

    public ClusterView view() {
        return view.get();
    }

    /** Takes over what the controller of that epoch told; the push contract has put updates in order. */
    public void apply(ClusterUpdate update, int controllerEpoch) {
        view.updateAndGet(before -> before.after(update, controllerEpoch));
    }
}
