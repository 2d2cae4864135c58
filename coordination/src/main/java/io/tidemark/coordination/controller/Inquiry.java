package io.tidemark.coordination.controller;

import io.tidemark.coordination.broker.RefusalCheck;
import io.tidemark.coordination.controller.FailureProbe.Step;
import io.tidemark.coordination.controller.FailureProbe.Verdict;
import io.tidemark.runtime.EventLoop;
import java.util.function.Consumer;

/** Walks through one {@link FailureProbe}. Runs on the controller's loop. */
final class Inquiry {
    private final FailureDetection detection;
    private final EventLoop loop;
    private final FailureProbe probe;
    private final Consumer<Verdict> onVerdict;

    private Inquiry(FailureDetection detection, EventLoop loop, FailureProbe probe, Consumer<Verdict> onVerdict) {
        this.detection = detection;
        this.loop = loop;
        this.probe = probe;
        this.onVerdict = onVerdict;
    }

    /** Gives the verdict on the loop, once; it takes a tenth of a second, and longer while others are silent. */
    static void run(FailureDetection detection, EventLoop loop, FailureProbe probe, Consumer<Verdict> onVerdict) {
        new Inquiry(detection, loop, probe, onVerdict).take(probe.begin());
    }

    private void take(Step step) {
        if (step instanceof Step.Check check) {
            new RefusalCheck(detection.probe(), loop, detection.clock())
                    .run(check.of().peer(), outcome -> loop.execute(() -> take(probe.onCheck(outcome))));
        } else if (step instanceof Step.Ask ask) {
            detection
                    .probe()
                    .secondOpinion(
                            ask.whom(), probe.suspect(), opinion -> loop.execute(() -> take(probe.onOpinion(opinion))));
        } else if (step instanceof Step.Done done) {
            onVerdict.accept(done.verdict());
        }
    }
}
