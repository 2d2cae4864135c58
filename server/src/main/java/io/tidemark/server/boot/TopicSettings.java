package io.tidemark.server.boot;

import io.tidemark.core.config.BrokerConfig;
import io.tidemark.core.config.ConfigOutcome;
import io.tidemark.core.config.LogConfig;
import io.tidemark.core.config.MessageConfig;
import io.tidemark.core.config.TopicConfig;
import io.tidemark.model.TopicPartition;
import io.tidemark.model.TopicState;
import io.tidemark.server.metadata.MetadataCache;
import java.util.Map;
import java.util.SortedMap;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What topics' logs run with: their overrides on this broker's defaults. Thread-safe; look-ups parse nothing twice. */
final class TopicSettings {
    private static final Logger LOG = LoggerFactory.getLogger(TopicSettings.class);

    private final LogConfig defaults;
    private final MetadataCache metadata;
    private final Map<SortedMap<String, String>, LogConfig> parsed = new ConcurrentHashMap<>();

    TopicSettings(BrokerConfig config, MetadataCache metadata) {
        this.defaults = config.log();
        this.metadata = metadata;
    }

    /** Overrides that cannot be understood, written by a newer version or by hand, are reported and left out. */
    LogConfig of(SortedMap<String, String> overrides) {
        return overrides.isEmpty() ? defaults : parsed.computeIfAbsent(overrides, this::parse);
    }

    /** The present settings of the partition's topic. */
    LogConfig of(TopicPartition partition) {
        return of(partition.topic());
    }

    /** What a topic takes from producers. */
    MessageConfig messages(String name) {
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
