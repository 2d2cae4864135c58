package io.tidemark.checker;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Consumers were given the same records of a key in orders that no one log can have had: what each met first, one behind
 * the other, runs in a circle. It does not look at offsets, so that it sees what wrong offsets hide. Values that stand twice
 * in the log by their producer's choice are left out.
 */
final class OrderDiffers implements Anomaly {
    private static final int BEFORE = 1;

    @Override
    public void find(Evidence evidence, Findings findings) {
        SortedMap<Integer, List<ConsumerSession>> byKey = new TreeMap<>();
        for (ConsumerSession session : evidence.sessions()) {
            if (session.size() > 1) {
                byKey.computeIfAbsent(session.log().key(), unused -> new ArrayList<>())
                        .add(session);
            }
        }
        byKey.forEach((key, sessions) -> judge(evidence, evidence.log(key), sessions, findings));
    }

    private static void judge(
            Evidence evidence, KeyLog log, List<ConsumerSession> sessions, Findings findings) {
        Digraph.Builder edges = new Digraph.Builder(log.valueCount());
        for (ConsumerSession session : sessions) {
            draw(evidence, session, edges);
        }
        Cycles cycles = new Cycles(edges.build());
        for (int[] component : cycles.components(BEFORE)) {
            findings.add(AnomalyKind.ORDER_DIFFERS, () -> {
                int[] cycle = cycles.cycle(component[0], BEFORE, component);
                return Facts.of("key", log.key())
                        .with("values", Arrays.stream(cycle).limit(Pair.MAX_NAMED).mapToObj(log::value).toList());
            });
        }
    }

    private static void draw(Evidence evidence, ConsumerSession session, Digraph.Builder edges) {
        KeyLog log = session.log();
        BitSet met = new BitSet();
        int before = KeyLog.NONE;
        for (int i = 0; i < session.size(); i++) {
            int id = session.id(i);
            if (met.get(id) || (log.isDuplicated(id) && evidence.isRepeatable(log, id))) {
                continue;
            }
            met.set(id);
            if (before != KeyLog.NONE) {
                edges.edge(before, id, BEFORE);
            }
            before = id;
        }
    }
}
