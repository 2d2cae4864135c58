package io.tidemark.checker;

import io.tidemark.checker.AnomalyKind.Origin;
import io.tidemark.checker.CheckOptions.Rules;
import io.tidemark.history.History;
import java.util.ArrayList;
import java.util.List;

/** Judges a history. Pure; any thread; memory and time linear in the history, but for sorting. */
public final class Checker {
    private Checker() {}

    /** The verdict over a history under these rules. */
    public static Verdict check(History history, CheckOptions options) {
        Evidence evidence = Evidence.of(history);
        Findings findings = new Findings(options);
        for (Anomaly anomaly : anomalies(options)) {
            anomaly.find(evidence, findings);
        }
        List<KindFindings> found = findings.all().stream()
                .filter(kind -> options.rules() == Rules.ALL || kind.kind().origin() == Origin.KAFKA)
                .toList();
        return new Verdict(options, Coverage.of(evidence), found);
    }

    private static List<Anomaly> anomalies(CheckOptions options) {
        List<Anomaly> anomalies = new ArrayList<>(List.of(
                new InconsistentOffsets(),
                new Duplicates(),
                new LostWrites(),
                new Unseen(),
                new AbortedReads(),
                new PrecommittedReads(),
                new UnknownValues(),
                new IntPollSkip(),
                new IntNonmonotonicPoll()));
        anomalies.addAll(List.of(
                new PollSkip(),
                new NonmonotonicPoll(),
                new NonmonotonicSend(),
                new IntNonmonotonicSend(),
                new IntSendSkip(),
                new DependencyCycles(options.writeOrder())));
        if (options.rules() == Rules.ALL) {
            anomalies.addAll(List.of(
                    new LostRecords(),
                    new ReadBeforeSend(),
                    new ProducerReorder(),
                    new ConsumerSkip(),
                    new ConsumerRewind(),
                    new OrderDiffers(),
                    new TruncationSeen(),
                    new NeverSucceeded(),
                    new HistoryCut()));
        }
        return anomalies;
    }
}
