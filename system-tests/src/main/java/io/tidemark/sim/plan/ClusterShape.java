package io.tidemark.sim.plan;

import io.tidemark.core.config.CleanupPolicy;
import io.tidemark.core.config.FlushMode;
import io.tidemark.core.config.TruncationMode;
import io.tidemark.sim.Detection;
import java.util.Locale;

/**
 * The cluster of a run.
 *
 * @param brokers with the numbers from 1
 * @param minInsyncReplicas of the topic
 * @param flush when records count ({@code log.flush.mode})
 * @param truncation how followers find what to cut ({@code replica.truncation})
 * @param logs of the topic
 */
public record ClusterShape(
        int brokers, int minInsyncReplicas, FlushMode flush, TruncationMode truncation, Logs logs, Times times) {
    /** Three brokers as operators have them, but that a session is short. */
    public static final ClusterShape DEFAULT = new ClusterShape(
            3, 2, FlushMode.ASYNC, TruncationMode.LEADER_EPOCH, Logs.DEFAULT, new Times(6_000, 10_000, 5_000));

    private static final int MOST_BROKERS = 9;

    /**
     * What becomes of what was written.
     *
     * @param segmentBytes of the topic ({@code segment.bytes})
     * @param cleanup either of {@code delete} and {@code compact}; compacted logs are looked at by the cleaner all the time
     */
    public record Logs(int segmentBytes, CleanupPolicy cleanup) {
        private static final int LEAST_BYTES = 1_024;
        private static final int MOST_BYTES = 1 << 29;
        /** One segment in a run, and nothing is cleaned. */
        public static final Logs DEFAULT = new Logs(MOST_BYTES, CleanupPolicy.DELETE);

        private static final CleanupPolicy[] POLICIES = {CleanupPolicy.DELETE, CleanupPolicy.COMPACT};

        public Logs {
            if (segmentBytes < LEAST_BYTES
                    || segmentBytes > MOST_BYTES
                    || cleanup == CleanupPolicy.COMPACT_AND_DELETE) {
                throw new IllegalArgumentException("segments of " + segmentBytes + " bytes, cleanup " + cleanup);
            }
        }
    }

    /**
     * How long things take, in milliseconds of simulated time.
     *
     * @param sessionMs timeout of brokers' ZooKeeper sessions
     * @param lagMs a follower that was not caught up for longer leaves the in-sync set
     * @param checkpointMs between two checkpoints of the high watermarks
     * @param detection how soon processes that end are noticed
     */
    public record Times(int sessionMs, int lagMs, int checkpointMs, Detection detection) {
        /** With detection by sessions. */
        public Times(int sessionMs, int lagMs, int checkpointMs) {
            this(sessionMs, lagMs, checkpointMs, Detection.SESSION);
        }

        public Times {
            if (sessionMs < 1 || lagMs < 1 || checkpointMs < 1) {
                throw new IllegalArgumentException(
                        "session " + sessionMs + " ms, lag " + lagMs + " ms, checkpoint " + checkpointMs + " ms");
            }
        }
    }

    public ClusterShape {
        if (brokers < 1 || brokers > MOST_BROKERS || minInsyncReplicas < 1 || minInsyncReplicas > brokers) {
            throw new IllegalArgumentException(brokers + " brokers with min.insync.replicas " + minInsyncReplicas);
        }
    }

    /** As plans and scenarios write it. */
    public String text() {
        return "brokers " + brokers + " min.insync.replicas " + minInsyncReplicas + " flush " + word(flush)
                + " truncation " + word(truncation) + " segment.bytes " + logs.segmentBytes + " cleanup "
                + word(logs.cleanup) + " session " + times.sessionMs + "ms lag " + times.lagMs
                + "ms checkpoint " + times.checkpointMs + "ms"
                + (times.detection == DEFAULT.times.detection ? "" : " detection " + word(times.detection));
    }

    /** Reads {@code brokers N} and what follows it in any order; what is not said is as in {@link #DEFAULT}. */
    public static ClusterShape read(Words words) {
        int brokers = words.number("brokers", 1, MOST_BROKERS);
        ClusterShape shape = new ClusterShape(
                brokers, Math.min(2, brokers), DEFAULT.flush, DEFAULT.truncation, DEFAULT.logs, DEFAULT.times);
        while (!words.isEmpty()) {
            shape = shape.with(words.next("a setting"), words);
        }
        return shape;
    }

    private ClusterShape with(String setting, Words words) {
        return switch (setting) {
            case "min.insync.replicas" ->
                new ClusterShape(brokers, words.number(1, brokers), flush, truncation, logs, times);
            case "flush" -> {
                FlushMode other = words.oneOf(FlushMode.values(), ClusterShape::word);
                yield new ClusterShape(brokers, minInsyncReplicas, other, truncation, logs, times);
            }
            case "truncation" -> {
                TruncationMode other = words.oneOf(TruncationMode.values(), ClusterShape::word);
                yield new ClusterShape(brokers, minInsyncReplicas, flush, other, logs, times);
            }
            case "segment.bytes" -> with(new Logs(words.number(Logs.LEAST_BYTES, Logs.MOST_BYTES), logs.cleanup));
            case "cleanup" -> with(new Logs(logs.segmentBytes, words.oneOf(Logs.POLICIES, ClusterShape::word)));
            case "session" ->
                with(new Times(positive(words, setting), times.lagMs, times.checkpointMs, times.detection));
            case "lag" ->
                with(new Times(times.sessionMs, positive(words, setting), times.checkpointMs, times.detection));
            case "checkpoint" ->
                with(new Times(times.sessionMs, times.lagMs, positive(words, setting), times.detection));
            case "detection" -> {
                Detection other = words.oneOf(Detection.values(), ClusterShape::word);
                yield with(new Times(times.sessionMs, times.lagMs, times.checkpointMs, other));
            }
            default -> throw words.expected("a setting of a cluster", setting);
        };
    }

    private ClusterShape with(Times other) {
        return new ClusterShape(brokers, minInsyncReplicas, flush, truncation, logs, other);
    }

    private ClusterShape with(Logs other) {
        return new ClusterShape(brokers, minInsyncReplicas, flush, truncation, other, times);
    }

    private static int positive(Words words, String setting) {
        int ms = words.time(setting);
        if (ms < 1) {
            throw words.expected("a positive time", ms + "ms");
        }
        return ms;
    }

    private static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
