package io.tidemark.server.rpc;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * The order of a request's parts, of which some were refused before they reached a handler. Holds nothing of the parts that
 * did.
 *
 * @param <R> one part's result as a message
 */
final class PartOrder<R> {
    private final SortedMap<Integer, R> refused = new TreeMap<>();
    private int parts;

    void accepted() {
        parts++;
    }

    void refused(R result) {
        refused.put(parts, result);
        parts++;
    }

    boolean allRefused() {
        return refused.size() == parts;
    }

    /** All results in the request's order; {@code results} are those of the accepted parts, in their order. */
    <V> List<R> merge(List<V> results, Function<V, R> toWire) {
        Iterator<V> accepted = results.iterator();
        List<R> all = new ArrayList<>(parts);
        for (int i = 0; i < parts; i++) {
            R known = refused.isEmpty() ? null : refused.get(i);
            all.add(known == null ? toWire.apply(accepted.next()) : known);
        }
        return all;
    }
}
