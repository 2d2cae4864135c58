package io.tidemark.server.metadata;

import io.tidemark.model.ClusterUpdate;

/** Holds the latest {@link ClusterView}. Thread-safe; readers take no lock. */
public final class MetadataCache {
    private volatile ClusterView view = ClusterView.EMPTY;

    public ClusterView view() {
        return view;
    }

    /** Takes over what the controller of that epoch told; the push contract has put updates in order. */
    public synchronized void apply(ClusterUpdate update, int controllerEpoch) {
        view = view.after(update, controllerEpoch);
    }
}
