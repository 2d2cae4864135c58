package io.tidemark.server.metadata;

import io.tidemark.core.config.ConfigOutcome;
import io.tidemark.core.config.LogConfig;
import io.tidemark.core.config.MessageConfig;
import io.tidemark.core.config.TopicConfig;
import io.tidemark.model.TopicPartition;
import io.tidemark.model.TopicState;
import java.util.Map;
import java.util.SortedMap;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What topics' logs run with: their overrides on this broker's defaults. Thread-safe; look-ups parse nothing twice. */
public final class TopicSettings {
    private static final Logger LOG = LoggerFactory.getLogger(TopicSettings.class);

    private final LogConfig defaults;
    private final MetadataCache metadata;
    private final Map<SortedMap<String, String>, LogConfig> parsed = new ConcurrentHashMap<>();

    /** @param defaults of this broker, for what a topic does not say */
    public TopicSettings(LogConfig defaults, MetadataCache metadata) {
        this.defaults = defaults;
        this.metadata = metadata;
    }

    /** Overrides that cannot be understood, written by a newer version or by hand, are reported and left out. */
    public LogConfig of(SortedMap<String, String> overrides) {
        return overrides.isEmpty() ? defaults : parsed.computeIfAbsent(overrides, this::parse);
    }

    /** The present settings of the partition's topic. */
    public LogConfig of(TopicPartition partition) {
        return of(partition.topic());
    }

    /** What a topic takes from producers. */
    public MessageConfig messages(String name) {
        return of(name).messages();
    }

    private LogConfig of(String name) {
        TopicState topic = metadata.view().topics().get(name);
        return topic == null ? defaults : of(topic.configs());
    }

    private LogConfig parse(SortedMap<String, String> overrides) {
        ConfigOutcome<TopicConfig> outcome = TopicConfig.parse(overrides);
        if (outcome instanceof ConfigOutcome.Valid<TopicConfig> valid) {
            return valid.config().log(defaults);
        }
        LOG.error("topic settings are ignored: {}", ((ConfigOutcome.Invalid<TopicConfig>) outcome).message());
        return defaults;
    }
}
