package io.tidemark.core.log;

import io.tidemark.core.checkpoint.AtomicFile;
import io.tidemark.core.io.Files;
import io.tidemark.model.TopicId;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The file {@code partition.metadata} of a partition directory: to which topic of that name the data belongs.
 *
 * <pre>
 * version: 0
 * topic_id: 0123456789abcdef0123456789abcdef
 * </pre>
 *
 * <p>Written durably before the directory gets anything else.
 */
final class PartitionMetadataFile {
    static final String FILE_NAME = "partition.metadata";

    private static final Logger LOG = LoggerFactory.getLogger(PartitionMetadataFile.class);
    private static final String VERSION_LINE = "version: 0";
    private static final String TOPIC_ID_KEY = "topic_id: ";

    private final AtomicFile file;

    PartitionMetadataFile(Files io, Path partitionDirectory) {
        this.file = new AtomicFile(io, partitionDirectory, FILE_NAME);
    }

    void write(TopicId topicId) {
        String text = VERSION_LINE + "\n" + TOPIC_ID_KEY + topicId + "\n";
        file.write(text.getBytes(StandardCharsets.UTF_8));
    }

    /** The topic id; empty if the file is missing or says something else. */
    Optional<TopicId> read() {
        return file.read().flatMap(this::parse);
    }

    private Optional<TopicId> parse(byte[] content) {
        List<String> lines = new String(content, StandardCharsets.UTF_8).lines().toList();
        try {
            if (lines.size() == 2
                    && lines.get(0).equals(VERSION_LINE)
                    && lines.get(1).startsWith(TOPIC_ID_KEY)) {
                return Optional.of(TopicId.parse(lines.get(1).substring(TOPIC_ID_KEY.length())));
            }
        } catch (IllegalArgumentException e) {
            LOG.debug("not a topic id", e);
        }
        LOG.error("{} is damaged", file.path());
        return Optional.empty();
    }
}
