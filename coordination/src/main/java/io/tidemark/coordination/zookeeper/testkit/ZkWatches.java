package io.tidemark.coordination.zookeeper.testkit;

import io.tidemark.coordination.zookeeper.ZkSession.ZkWatch;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;

/** One-shot watches of many sessions on one {@link ZkTree}. Deterministic; not thread-safe. */
public final class ZkWatches implements ZkTree.Changes {
    private final NavigableMap<String, List<Entry>> onNode = new TreeMap<>();
    private final NavigableMap<String, List<Entry>> onChildren = new TreeMap<>();
    private final Firing firing;

    /** Carries a fired watch to its session. */
    @FunctionalInterface
    public interface Firing {
        void fire(long session, String path, ZkWatch watch);
    }

    private record Entry(long session, ZkWatch watch) {}

    public ZkWatches(Firing firing) {
        this.firing = firing;
    }

    /** Fires when the node is created, changed or deleted. */
    public void onNode(long session, String path, ZkWatch watch) {
        add(onNode, session, path, watch);
    }

    /** Fires when a child comes or goes, or the node goes. */
    public void onChildren(long session, String path, ZkWatch watch) {
        add(onChildren, session, path, watch);
    }

    /** Forgets the watches of a session. */
    public void endSession(long session) {
        for (List<Entry> entries : onNode.values()) {
            entries.removeIf(entry -> entry.session == session);
        }
        for (List<Entry> entries : onChildren.values()) {
            entries.removeIf(entry -> entry.session == session);
        }
    }

    @Override
    public void node(String path) {
        fire(onNode, path);
    }

    @Override
    public void children(String path) {
        fire(onChildren, path);
    }

    private static void add(NavigableMap<String, List<Entry>> to, long session, String path, ZkWatch watch) {
        if (watch != ZkWatch.NONE) {
            to.computeIfAbsent(path, unwatched -> new ArrayList<>()).add(new Entry(session, watch));
        }
    }

    private void fire(NavigableMap<String, List<Entry>> from, String path) {
        List<Entry> entries = from.remove(path);
        if (entries != null) {
            entries.forEach(entry -> firing.fire(entry.session, path, entry.watch));
        }
    }
}
