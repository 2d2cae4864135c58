package io.tidemark.core.log;

import io.tidemark.model.TopicId;
import io.tidemark.model.TopicPartition;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Names of directories in a log directory: {@code topic-0} holds a log, {@code topic-0.<topic id>-delete} one that is being deleted,
 * {@code topic-0.<topic id>-stray} one that was set aside and is kept; with a number, as in {@code topic-0.<topic id>.1-delete}, if
 * there is one of that name. In the last two a long topic is shortened: file systems take 255 bytes, of which a topic may have 249.
 */
public final class PartitionDirectoryName {
    private static final String DELETE_SUFFIX = "-delete";
    private static final String STRAY_SUFFIX = "-stray";
    private static final String UNFINISHED = "unfinished";
    private static final int LONGEST_NAME = 255;
    private static final int ROOM_FOR_NUMBER = 12;
    private static final Pattern BEING_DELETED =
            Pattern.compile("(?<partition>.+)\\.([0-9a-f]{32}|" + UNFINISHED + ")(\\.[0-9]+)?" + DELETE_SUFFIX);

    private PartitionDirectoryName() {}

    /** The partition whose live directory has that name. */
    public static Optional<TopicPartition> parse(String name) {
        int dash = name.lastIndexOf('-');
        if (dash <= 0 || dash == name.length() - 1) {
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

    /** Whether it is one that {@link #deleted} or {@link #unfinished} makes, with or without a number; nobody else's. */
    static boolean isBeingDeleted(String name) {
        Matcher matcher = BEING_DELETED.matcher(name);
        return matcher.matches() && parse(matcher.group("partition")).isPresent();
    }

    static String deleted(TopicPartition partition, TopicId topicId) {
        return fitting(partition, "." + topicId + DELETE_SUFFIX);
    }

    /** Of the remains of a directory that was being created when the power went. */
    static String unfinished(TopicPartition partition) {
        return fitting(partition, "." + UNFINISHED + DELETE_SUFFIX);
    }

    static String stray(TopicPartition partition, String why) {
        return fitting(partition, "." + why + STRAY_SUFFIX);
    }

    private static String fitting(TopicPartition partition, String suffix) {
        String end = "-" + partition.partition() + suffix;
        String topic = partition.topic();
        return topic.substring(0, Math.min(topic.length(), LONGEST_NAME - ROOM_FOR_NUMBER - end.length())) + end;
    }
}
