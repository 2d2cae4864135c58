package io.tidemark.core.log;

import io.tidemark.model.TopicId;
import io.tidemark.model.TopicPartition;
import java.util.Optional;

/**
 * Names of directories in a log directory: {@code topic-0} holds a log, {@code topic-0.<topic id>-delete} one that is being deleted,
 * {@code topic-0.<topic id>-stray} one that was set aside and is kept; with a number, as in {@code topic-0.<topic id>.1-delete}, if
 * there is one of that name.
 */
public final class PartitionDirectoryName {
    private static final String DELETE_SUFFIX = "-delete";
    private static final String STRAY_SUFFIX = "-stray";

    private PartitionDirectoryName() {}

    /** The partition whose live directory has that name. */
    public static Optional<TopicPartition> parse(String name) {
        int dash = name.lastIndexOf('-');
        if (dash <= 0 || dash == name.length() - 1 || name.startsWith(".")) {
            return Optional.empty();
        }
        try {
            TopicPartition partition =
                    new TopicPartition(name.substring(0, dash), Integer.parseInt(name.substring(dash + 1)));
            return partition.toString().equals(name) ? Optional.of(partition) : Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /** Whether it is one that {@link #deleted} makes, or the remains of one that was never finished; nobody else's. */
    static boolean isBeingDeleted(String name) {
        if (!name.endsWith(DELETE_SUFFIX)) {
            return false;
        }
        int dot = name.lastIndexOf('.');
        boolean isNumbered = dot > 0
                && name.substring(dot + 1, name.length() - DELETE_SUFFIX.length()).matches("[0-9]+");
        return isBehindPartition(name, dot) || (isNumbered && isBehindPartition(name, name.lastIndexOf('.', dot - 1)));
    }

    private static boolean isBehindPartition(String name, int dot) {
        return dot > 0 && parse(name.substring(0, dot)).isPresent();
    }

    static String deleted(TopicPartition partition, TopicId topicId) {
        return partition + "." + topicId + DELETE_SUFFIX;
    }

    static String stray(TopicPartition partition, String why) {
        return partition + "." + why + STRAY_SUFFIX;
    }
}
