package io.tidemark.core.log;

import io.tidemark.model.TopicId;
import io.tidemark.model.TopicPartition;
import java.nio.file.Path;

/** A log that is in a log directory and not loaded yet. */
record FoundLog(LogDirectory directory, TopicPartition partition, TopicId topicId, Path path) {}
