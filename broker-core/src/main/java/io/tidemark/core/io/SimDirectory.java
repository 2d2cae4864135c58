package io.tidemark.core.io;

import io.tidemark.runtime.Randomness;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The names in a simulated directory: as the process sees them, and as the disk is sure to hold them. */
final class SimDirectory implements SimNode {
    private final TreeMap<String, SimNode> durable = new TreeMap<>();
    private final List<NameChange> unforced = new ArrayList<>();
    private final TreeMap<String, SimNode> entries = new TreeMap<>();

    @Nullable
    SimNode child(String name) {
        return entries.get(name);
    }

    List<String> names() {
        return List.copyOf(entries.keySet());
    }

    boolean isEmpty() {
        return entries.isEmpty();
    }

    void put(String name, SimNode node) {
        change(new NameChange(null, name, node));
    }

    void remove(String name) {
        change(new NameChange(name, null, null));
    }

    /** One change: a power loss leaves the old name or the new one, never both or neither. */
    void move(String from, String to, SimNode node) {
        change(new NameChange(from, to, node));
    }

    private void change(NameChange change) {
        change.applyTo(entries);
        unforced.add(change);
    }

    void force() {
        unforced.forEach(change -> change.applyTo(durable));
        unforced.clear();
    }

    @Override
    public long usedBytes() {
        return entries.values().stream().mapToLong(SimNode::usedBytes).sum();
    }

    @Override
    public void losePower(Randomness randomness) {
        int surviving = randomness.nextInt(unforced.size() + 1);
        unforced.subList(0, surviving).forEach(change -> change.applyTo(durable));
        unforced.clear();
        entries.clear();
        entries.putAll(durable);
        entries.values().forEach(node -> node.losePower(randomness));
    }

    private record NameChange(
            @Nullable String removed,
            @Nullable String added,
            @Nullable SimNode node) {
        void applyTo(Map<String, SimNode> names) {
            if (removed != null) {
                names.remove(removed);
            }
            if (added != null && node != null) {
                names.put(added, node);
            }
        }
    }
}
