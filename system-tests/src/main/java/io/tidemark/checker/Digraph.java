package io.tidemark.checker;

/**
 * A directed graph over the nodes below a number, each edge of one kind; 4 bytes an edge and 4 a node. Immutable. Kinds are
 * the bits 1, 2 and 4, so that a mask picks a subgraph.
 */
final class Digraph {
    /** An edge is its target with its kind in the three bits above. */
    private static final int KIND_SHIFT = 29;

    private static final int NODE_MASK = (1 << KIND_SHIFT) - 1;

    private final int[] starts;
    private final int[] edges;

    private Digraph(int[] starts, int[] edges) {
        this.starts = starts;
        this.edges = edges;
    }

    int nodeCount() {
        return starts.length - 1;
    }

    /** The number of a node's first edge; those below the first of the next node are its own. */
    int firstEdge(int node) {
        return starts[node];
    }

    int target(int edge) {
        return edges[edge] & NODE_MASK;
    }

    int kind(int edge) {
        return edges[edge] >>> KIND_SHIFT;
    }

    /** Gathers edges. Not thread-safe. */
    static final class Builder {
        private final int nodeCount;
        private final IntList sources = new IntList();
        private final IntList edges = new IntList();

        Builder(int nodeCount) {
            if (nodeCount > NODE_MASK) {
                throw new IllegalArgumentException("more nodes than an edge can name: " + nodeCount);
            }
            this.nodeCount = nodeCount;
        }

        void edge(int source, int target, int kind) {
            sources.add(source);
            edges.add(target | (kind << KIND_SHIFT));
        }

        Digraph build() {
            int[] starts = new int[nodeCount + 1];
            for (int i = 0; i < sources.size(); i++) {
                starts[sources.get(i) + 1]++;
            }
            for (int node = 0; node < nodeCount; node++) {
                starts[node + 1] += starts[node];
            }
            int[] filled = starts.clone();
            int[] sorted = new int[edges.size()];
            for (int i = 0; i < sources.size(); i++) {
                sorted[filled[sources.get(i)]++] = edges.get(i);
            }
            return new Digraph(starts, sorted);
        }
    }
}
