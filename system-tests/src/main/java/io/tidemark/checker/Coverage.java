package io.tidemark.checker;

import io.tidemark.history.Phase;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * How much there was to judge: a verdict over little says little.
 *
 * @param operations how many operations of clients
 * @param ok how many of them happened
 * @param failed how many did not
 * @param unknown how many nobody knows of
 * @param sent how many values were sent
 * @param read how many of them were returned by a poll that ended ok
 * @param faults how many notes of the nemesis
 * @param finalReads how many consumers read a key from the beginning after all was healed; without any, nobody knows
 *     whether everything was still there at the end
 */
public record Coverage(
        int operations, int ok, int failed, int unknown, long sent, long read, int faults, int finalReads) {
    static Coverage of(Evidence evidence) {
        Map<Phase, Integer> outcomes = new EnumMap<>(Phase.class);
        evidence.operations().forEach(operation -> outcomes.merge(operation.outcome(), 1, Integer::sum));
        long sent = 0;
        long read = 0;
        for (KeyLog log : evidence.logs()) {
            for (int id = 0; id < log.valueCount(); id++) {
                sent += log.writer(id) == KeyLog.NONE ? 0 : 1;
                read += log.reader(id) == KeyLog.NONE ? 0 : 1;
            }
        }
        List<ConsumerSession> finals = evidence.sessions().stream()
                .filter(ConsumerSession::isFinalRead)
                .toList();
        return new Coverage(
                evidence.operations().size(),
                outcomes.getOrDefault(Phase.OK, 0),
                outcomes.getOrDefault(Phase.FAIL, 0),
                outcomes.getOrDefault(Phase.INFO, 0),
                sent,
                read,
                evidence.history().notes().size(),
                finals.size());
    }
}
