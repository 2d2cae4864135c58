package io.tidemark.checker;

import io.tidemark.history.Action.Function;
import io.tidemark.history.Action.Transfer;
import io.tidemark.history.Operation;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Operations of a kind were tried and none ended ok: a run in which nothing was possible shows nothing. */
final class NeverSucceeded implements Anomaly {
    @Override
    public void find(Evidence evidence, Findings findings) {
        Map<Function, Integer> tried = new EnumMap<>(Function.class);
        Map<Function, Integer> done = new EnumMap<>(Function.class);
        for (Operation operation : evidence.operations()) {
            if (operation.action() instanceof Transfer transfer) {
                tried.merge(transfer.function(), 1, Integer::sum);
                done.merge(transfer.function(), operation.isOk() ? 1 : 0, Integer::sum);
            }
        }
        tried.forEach((function, count) -> {
            if (done.getOrDefault(function, 0) == 0) {
                findings.add(AnomalyKind.NEVER_SUCCEEDED, () -> Facts.of("tried", count)
                        .withWords("f", List.of(function.label())));
            }
        });
    }
}
