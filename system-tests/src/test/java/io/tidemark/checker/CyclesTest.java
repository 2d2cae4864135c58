package io.tidemark.checker;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.testkit.SeededRandomness;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Components and cycles of graphs, against reachability that is computed the slow way. */
final class CyclesTest {
    private static final int RED = 1;
    private static final int BLUE = 2;

    @Test
    void shouldFindComponentsByKindOfEdge() {
        // given: 0 -> 1 -> 2 -> 0 in red but for one blue edge, 3 <-> 4 in blue, 5 alone
        Digraph.Builder edges = new Digraph.Builder(6);
        edges.edge(0, 1, RED);
        edges.edge(1, 2, RED);
        edges.edge(2, 0, BLUE);
        edges.edge(3, 4, BLUE);
        edges.edge(4, 3, BLUE);
        edges.edge(2, 5, RED);
        Cycles cycles = new Cycles(edges.build());

        // when, then: also when asked again
        assertThat(cycles.components(RED)).isEmpty();
        assertThat(cycles.components(RED | BLUE)).containsExactly(new int[] {0, 1, 2}, new int[] {3, 4});
        assertThat(cycles.components(BLUE)).containsExactly(new int[] {3, 4});
        assertThat(cycles.components(RED | BLUE, new int[] {0, 1, 3, 4})).containsExactly(new int[] {3, 4});
        assertThat(cycles.cycle(1, RED | BLUE, new int[] {0, 1, 2})).containsExactly(1, 2, 0);
        assertThat(cycles.cycle(3, BLUE, new int[] {3, 4})).containsExactly(3, 4);
    }

    @Test
    void shouldTakeAShortestCycle() {
        Digraph.Builder edges = new Digraph.Builder(5);
        for (int node = 0; node < 5; node++) {
            edges.edge(node, (node + 1) % 5, RED);
        }
        edges.edge(2, 0, RED);

        assertThat(new Cycles(edges.build()).cycle(0, RED, new int[] {0, 1, 2, 3, 4})).containsExactly(0, 1, 2);
    }

    // Fails if: the walk loses a low link, or leaves a node on the stack.
    @Test
    void shouldAgreeWithReachability() {
        for (long seed = 1; seed <= 300; seed++) {
            // given
            SeededRandomness choices = new SeededRandomness(seed);
            int nodes = 2 + choices.nextInt(12);
            Digraph.Builder edges = new Digraph.Builder(nodes);
            boolean[][] reaches = new boolean[nodes][nodes];
            for (int i = choices.nextInt(2 * nodes); i > 0; i--) {
                int from = choices.nextInt(nodes);
                int to = choices.nextInt(nodes);
                edges.edge(from, to, RED);
                reaches[from][to] = true;
            }
            close(reaches);

            // when, then
            assertThat(lists(new Cycles(edges.build()).components(RED)))
                    .as("seed %d", seed)
                    .isEqualTo(components(reaches));
        }
    }

    @Test
    void shouldWalkALongChainWithoutRecursion() {
        int nodes = 200_000;
        Digraph.Builder edges = new Digraph.Builder(nodes);
        for (int node = 0; node < nodes; node++) {
            edges.edge(node, (node + 1) % nodes, RED);
        }

        assertThat(new Cycles(edges.build()).components(RED)).singleElement().satisfies(all -> assertThat(all)
                .hasSize(nodes));
    }

    private static void close(boolean[][] reaches) {
        for (int over = 0; over < reaches.length; over++) {
            for (boolean[] from : reaches) {
                if (from[over]) {
                    for (int to = 0; to < reaches.length; to++) {
                        from[to] |= reaches[over][to];
                    }
                }
            }
        }
    }

    private static List<List<Integer>> components(boolean[][] reaches) {
        List<List<Integer>> components = new ArrayList<>();
        for (int node = 0; node < reaches.length; node++) {
            List<Integer> component = new ArrayList<>();
            for (int other = 0; other < reaches.length; other++) {
                if (other == node || (reaches[node][other] && reaches[other][node])) {
                    component.add(other);
                }
            }
            if (component.size() > 1 && component.get(0) == node) {
                components.add(component);
            }
        }
        return components;
    }

    private static List<List<Integer>> lists(List<int[]> arrays) {
        return arrays.stream()
                .map(array -> Arrays.stream(array).boxed().toList())
                .toList();
    }
}
