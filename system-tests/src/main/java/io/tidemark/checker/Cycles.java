package io.tidemark.checker;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;

/**
 * Where a graph has cycles: strongly connected components by Tarjan's algorithm (1972) without recursion, and a short cycle
 * in each by breadth-first search. Linear in the nodes and edges that it is asked about. Not thread-safe.
 */
final class Cycles {
    private static final int UNSEEN = 0;

    private final Digraph graph;
    /** The part of the graph that is looked at. */
    private final BitSet scope;
    /** When a node was first seen, from 1. */
    private final int[] seen;

    private final int[] low;
    private final int[] nextEdge;
    private final BitSet onStack;
    private final IntList stack = new IntList();
    private final IntList path = new IntList();
    private int clock;

    Cycles(Digraph graph) {
        this.graph = graph;
        this.scope = new BitSet(graph.nodeCount());
        this.seen = new int[graph.nodeCount()];
        this.low = new int[graph.nodeCount()];
        this.nextEdge = new int[graph.nodeCount()];
        this.onStack = new BitSet(graph.nodeCount());
    }

    /** The components of more than one node in the whole graph. */
    List<int[]> components(int kinds) {
        int[] all = new int[graph.nodeCount()];
        Arrays.setAll(all, node -> node);
        return components(kinds, all);
    }

    /**
     * The components of more than one node among {@code nodes}, over edges of these kinds between them: each sorted, in the
     * order of their first nodes.
     */
    List<int[]> components(int kinds, int[] nodes) {
        List<int[]> found = new ArrayList<>();
        for (int node : nodes) {
            scope.set(node);
        }
        for (int node : nodes) {
            if (seen[node] == UNSEEN) {
                walk(node, kinds, found);
            }
        }
        for (int node : nodes) {
            scope.clear(node);
            seen[node] = UNSEEN;
        }
        clock = 0;
        found.sort(Comparator.comparingInt(component -> component[0]));
        return found;
    }

    /** A shortest cycle through {@code start} inside a component, over edges of these kinds: its nodes, beginning there. */
    int[] cycle(int start, int kinds, int[] component) {
        for (int node : component) {
            scope.set(node);
        }
        int[] cycle = search(start, kinds);
        for (int node : component) {
            scope.clear(node);
            seen[node] = UNSEEN;
        }
        return cycle;
    }

    private void walk(int root, int kinds, List<int[]> found) {
        enter(root);
        while (!path.isEmpty()) {
            int node = path.last();
            int edge = nextEdge[node];
            if (edge == graph.firstEdge(node + 1)) {
                leave(node, found);
                continue;
            }
            nextEdge[node] = edge + 1;
            int target = graph.target(edge);
            if ((graph.kind(edge) & kinds) == 0 || !scope.get(target)) {
                continue;
            }
            if (seen[target] == UNSEEN) {
                enter(target);
            } else if (onStack.get(target)) {
                low[node] = Math.min(low[node], seen[target]);
            }
        }
    }

    private void enter(int node) {
        clock++;
        seen[node] = clock;
        low[node] = clock;
        nextEdge[node] = graph.firstEdge(node);
        stack.add(node);
        onStack.set(node);
        path.add(node);
    }

    private void leave(int node, List<int[]> found) {
        path.removeLast();
        if (!path.isEmpty()) {
            low[path.last()] = Math.min(low[path.last()], low[node]);
        }
        if (low[node] != seen[node]) {
            return;
        }
        IntList component = new IntList();
        int member;
        do {
            member = stack.removeLast();
            onStack.clear(member);
            component.add(member);
        } while (member != node);
        if (component.size() > 1) {
            int[] sorted = component.toArray();
            Arrays.sort(sorted);
            found.add(sorted);
        }
    }

    /** Leaves in {@link #low} by which node each was reached, and in {@link #seen} which were. */
    private int[] search(int start, int kinds) {
        IntList queue = new IntList();
        queue.add(start);
        seen[start] = 1;
        for (int i = 0; i < queue.size(); i++) {
            int node = queue.get(i);
            for (int edge = graph.firstEdge(node); edge < graph.firstEdge(node + 1); edge++) {
                int target = graph.target(edge);
                boolean isOpen = (graph.kind(edge) & kinds) != 0 && scope.get(target);
                if (isOpen && target == start) {
                    return wayBack(start, node);
                }
                if (isOpen && seen[target] == UNSEEN) {
                    seen[target] = 1;
                    low[target] = node;
                    queue.add(target);
                }
            }
        }
        throw new IllegalStateException("a component without a cycle through node " + start);
    }

    private int[] wayBack(int start, int last) {
        IntList reversed = new IntList();
        for (int node = last; node != start; node = low[node]) {
            reversed.add(node);
        }
        reversed.add(start);
        int[] cycle = new int[reversed.size()];
        for (int i = 0; i < cycle.length; i++) {
            cycle[i] = reversed.get(cycle.length - 1 - i);
        }
        return cycle;
    }
}
