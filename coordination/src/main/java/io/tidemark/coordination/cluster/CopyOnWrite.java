package io.tidemark.coordination.cluster;

import java.util.SortedMap;
import java.util.TreeMap;

/** A sorted map of a state that a decision may change: copied at the first change, never otherwise. */
final class CopyOnWrite<K, V> {
    private SortedMap<K, V> map;
    private boolean copied;

    CopyOnWrite(SortedMap<K, V> original) {
        map = original;
    }

    /** As it is now; not to be changed by the caller. */
    SortedMap<K, V> now() {
        return map;
    }

    /** For changes; becomes what {@link #now()} shows. */
    SortedMap<K, V> change() {
        if (!copied) {
            map = new TreeMap<>(map);
            copied = true;
        }
        return map;
    }
}
