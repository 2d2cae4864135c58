package io.tidemark.checker;

import io.tidemark.checker.CheckOptions.WriteOrder;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Cycles of dependencies. Of operations that are entangled in several kinds, only the first of G0, G0-realtime, G1c and
 * G1c-realtime is named, with one cycle that stands for all.
 */
final class DependencyCycles implements Anomaly {
    /** How many beginnings are tried for a short cycle. */
    private static final int MAX_TRIES = 8;

    private static final List<Layer> LAYERS = List.of(
            new Layer(AnomalyKind.G0, DependencyGraph.WRITE_WRITE),
            new Layer(AnomalyKind.G0_REALTIME, DependencyGraph.WRITE_WRITE | DependencyGraph.REAL_TIME),
            new Layer(AnomalyKind.G1C, DependencyGraph.WRITE_WRITE | DependencyGraph.WRITE_READ),
            new Layer(
                    AnomalyKind.G1C_REALTIME,
                    DependencyGraph.WRITE_WRITE | DependencyGraph.WRITE_READ | DependencyGraph.REAL_TIME));

    private final WriteOrder writeOrder;

    DependencyCycles(WriteOrder writeOrder) {
        this.writeOrder = writeOrder;
    }

    /** The edges in which a cycle is of a kind, if it is of no kind before. */
    private record Layer(AnomalyKind kind, int edges) {}

    @Override
    public void find(Evidence evidence, Findings findings) {
        DependencyGraph dependencies = DependencyGraph.of(evidence, writeOrder);
        Cycles cycles = new Cycles(dependencies.graph());
        int all = LAYERS.get(LAYERS.size() - 1).edges();
        for (int[] entangled : cycles.components(all)) {
            for (Layer layer : LAYERS) {
                List<int[]> found = cycles.components(layer.edges(), entangled);
                for (int[] component : found) {
                    findings.add(layer.kind(), () -> shortest(evidence, dependencies, cycles, layer, component));
                }
                if (!found.isEmpty()) {
                    break;
                }
            }
        }
    }

    private static Facts shortest(
            Evidence evidence, DependencyGraph dependencies, Cycles cycles, Layer layer, int[] component) {
        Route shortest = null;
        for (int i = 0; i < component.length && i < MAX_TRIES && dependencies.isOperation(component[i]); i++) {
            Route route = Route.of(dependencies, cycles.cycle(component[i], layer.edges(), component), layer.edges());
            if (shortest == null || route.operations().size() < shortest.operations().size()) {
                shortest = route;
            }
        }
        if (shortest == null) {
            throw new IllegalStateException("a cycle without an operation");
        }
        return shortest.facts(evidence);
    }

    /** A cycle without its moments: the i-th edge leads from the i-th operation to the next. */
    private record Route(List<Integer> operations, List<String> edges) {
        private static final String REAL_TIME = "realtime";

        static Route of(DependencyGraph dependencies, int[] nodes, int kinds) {
            List<Integer> operations = new ArrayList<>();
            List<String> edges = new ArrayList<>();
            for (int i = 0; i < nodes.length; i++) {
                int next = nodes[(i + 1) % nodes.length];
                if (!dependencies.isOperation(nodes[i])) {
                    continue;
                }
                String edge = REAL_TIME;
                if (dependencies.isOperation(next)) {
                    int between = dependencies.kindsBetween(nodes[i], next) & kinds;
                    edge = (between & DependencyGraph.WRITE_WRITE) != 0 ? "ww" : "wr";
                }
                boolean isSameStretch =
                        !edges.isEmpty() && edge.equals(REAL_TIME) && edges.get(edges.size() - 1).equals(REAL_TIME);
                if (!isSameStretch) {
                    operations.add(nodes[i]);
                    edges.add(edge);
                }
            }
            return new Route(operations, edges);
        }

        /** Begins with the operation of the smallest index. */
        Facts facts(Evidence evidence) {
            List<Long> indexes = new ArrayList<>();
            operations.forEach(number ->
                    indexes.add(evidence.operations().get(number).index()));
            int first = indexes.indexOf(Collections.min(indexes));
            List<String> turned = new ArrayList<>(edges);
            Collections.rotate(indexes, -first);
            Collections.rotate(turned, -first);
            return Facts.none().with("ops", indexes).withWords("edges", turned);
        }
    }
}
