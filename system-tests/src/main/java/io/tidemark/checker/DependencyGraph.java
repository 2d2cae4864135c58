package io.tidemark.checker;

import io.tidemark.checker.CheckOptions.WriteOrder;
import io.tidemark.history.Action.Transfer;
import io.tidemark.history.Operation;
import io.tidemark.history.Phase;
import java.util.Arrays;
import java.util.List;

/**
 * Which operation depends on which: by the order of writes (writer of a value to the writer of the next in the log), by
 * reads (writer of a value to each reader), and by time (completed before the other was invoked).
 *
 * <p>Edges of time would be quadratic in number. So they run over a chain of <em>moments</em>, one for each operation that
 * ended ok: from the operation to the moment of its end, from moment to moment, and from the last moment before an
 * operation began to that operation. One operation reaches another over the chain just if it had completed before.
 */
final class DependencyGraph {
    static final int WRITE_WRITE = 1;
    static final int WRITE_READ = 2;
    static final int REAL_TIME = 4;

    private final int operationCount;
    private final Digraph graph;

    private DependencyGraph(int operationCount, Digraph graph) {
        this.operationCount = operationCount;
        this.graph = graph;
    }

    static DependencyGraph of(Evidence evidence, WriteOrder writeOrder) {
        List<Operation> operations = evidence.operations();
        int[] moments = moments(operations);
        Digraph.Builder edges = new Digraph.Builder(operations.size() + moments.length);
        if (writeOrder == WriteOrder.DRAWN) {
            evidence.logs().forEach(log -> drawWrites(evidence, log, edges));
        }
        drawReads(evidence, edges);
        drawTime(operations, moments, edges);
        return new DependencyGraph(operations.size(), edges.build());
    }

    Digraph graph() {
        return graph;
    }

    /** Whether a node is an operation, whose number it is then; else it is a moment. */
    boolean isOperation(int node) {
        return node < operationCount;
    }

    /** The kinds of the edges that lead from a node straight to another. */
    int kindsBetween(int source, int target) {
        int kinds = 0;
        for (int edge = graph.firstEdge(source); edge < graph.firstEdge(source + 1); edge++) {
            kinds |= graph.target(edge) == target ? graph.kind(edge) : 0;
        }
        return kinds;
    }

    private static void drawWrites(Evidence evidence, KeyLog log, Digraph.Builder edges) {
        int before = KeyLog.NONE;
        for (int rank = 0; rank < log.rankCount(); rank++) {
            int writer = log.writer(log.id(rank, 0));
            boolean isKnown = writer != KeyLog.NONE
                    && evidence.operations().get(writer).outcome() != Phase.FAIL;
            if (isKnown && before != KeyLog.NONE && before != writer) {
                edges.edge(before, writer, WRITE_WRITE);
            }
            before = isKnown ? writer : KeyLog.NONE;
        }
    }

    private static void drawReads(Evidence evidence, Digraph.Builder edges) {
        Evidence.forEachPoll(evidence.history(), (reader, records) -> {
            if (records.size() == 0 || !evidence.operations().get(reader).isOk()) {
                return;
            }
            KeyLog log = evidence.log(records.key());
            int last = KeyLog.NONE;
            for (int i = 0; i < records.size(); i++) {
                int writer = log.writer(log.id(records.value(i)));
                if (writer != last
                        && writer != KeyLog.NONE
                        && writer != reader
                        && evidence.operations().get(writer).outcome() != Phase.FAIL) {
                    edges.edge(writer, reader, WRITE_READ);
                }
                last = writer;
            }
        });
    }

    private static void drawTime(List<Operation> operations, int[] moments, Digraph.Builder edges) {
        long[] ends = new long[moments.length];
        for (int i = 0; i < moments.length; i++) {
            ends[i] = operations.get(moments[i]).completedAt();
            edges.edge(moments[i], operations.size() + i, REAL_TIME);
            if (i > 0) {
                edges.edge(operations.size() + i - 1, operations.size() + i, REAL_TIME);
            }
        }
        for (int number = 0; number < operations.size(); number++) {
            Operation operation = operations.get(number);
            if (operation.action() instanceof Transfer && operation.outcome() != Phase.FAIL) {
                // No end has the index of a beginning, so the search always answers where it would stand.
                int before = -Arrays.binarySearch(ends, operation.invokedAt()) - 2;
                if (before >= 0) {
                    edges.edge(operations.size() + before, number, REAL_TIME);
                }
            }
        }
    }

    /** The operations that moved records and ended ok, in the order of their ends. */
    private static int[] moments(List<Operation> operations) {
        IntList moments = new IntList();
        for (int number = 0; number < operations.size(); number++) {
            Operation operation = operations.get(number);
            if (operation.isOk() && operation.action() instanceof Transfer) {
                moments.add(number);
            }
        }
        return moments.toArray();
    }
}
