package io.tidemark.bench.compare;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One run of one job.
 *
 * @param repetition from 1
 * @param values empty if it failed
 * @param wallSeconds how long the client ran
 * @param otherPercent of all cores, used meanwhile by processes that have no part in it
 * @param failure why there are no values
 */
record Sample(
        String system,
        int repetition,
        Job job,
        Map<Metric, Double> values,
        double wallSeconds,
        double otherPercent,
        @Nullable String failure) {
    Sample {
        Map<Metric, Double> copy = new EnumMap<>(Metric.class);
        copy.putAll(values);
        values = Collections.unmodifiableMap(copy);
    }

    static Sample failed(String system, int repetition, Job job, String why) {
        return new Sample(system, repetition, job, Map.of(), 0, 0, why);
    }
}
