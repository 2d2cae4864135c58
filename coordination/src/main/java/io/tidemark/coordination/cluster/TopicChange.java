package io.tidemark.coordination.cluster;

import io.tidemark.coordination.cluster.ClusterEvent.TopicConfigsRequested;
import io.tidemark.coordination.cluster.ClusterEvent.TopicConfigsRequested.Effect;
import io.tidemark.coordination.cluster.ClusterEvent.TopicCreationRequested;
import io.tidemark.core.config.TopicDefaults;
import io.tidemark.model.BrokerRegistration;
import io.tidemark.model.ErrorCode;
import io.tidemark.model.Member;
import io.tidemark.model.PartitionState;
import io.tidemark.model.TopicPartition;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** Topics that come, and their configuration. */
final class TopicChange {
    /** Kafka's rule: the name is also a directory's and a metric's. */
    private static final Pattern LEGAL_NAME = Pattern.compile("[a-zA-Z0-9._-]{1,249}");

    /** A topic is created in one ZooKeeper request; a larger one than 1 MiB costs the controller its session. */
    private static final long MAX_CREATION_BYTES = 900_000;

    private static final long PARTITION_BYTES = 330;
    private static final long MEMBER_BYTES = 60;

    private final ClusterSettings settings;
    private final TopicRules rules;
    private final Settlement settlement;

    TopicChange(ClusterSettings settings, TopicRules rules, Settlement settlement) {
        this.settings = settings;
        this.rules = rules;
        this.settlement = settlement;
    }

    /** Whether a topic may be called so: {@code [a-zA-Z0-9._-]}, 1 to 249 characters, neither {@code .} nor {@code ..}. */
    static boolean isLegalName(String name) {
        return LEGAL_NAME.matcher(name).matches() && !name.equals(".") && !name.equals("..");
    }

    /** Creates a topic: every replica is in sync from the start, the first assigned leads in leader epoch 0. */
    void onCreate(ClusterDraft draft, TopicCreationRequested request) {
        TopicSpec wanted = withDefaults(request.spec());
        BrokerView view = draft.view();
        List<Integer> brokers = view.brokers().registrations().values().stream()
                .map(BrokerRegistration::id)
                .filter(view::isLive)
                .toList();
        Optional<Answer.Refused> refusal = refusal(draft, wanted, brokers.size());
        if (refusal.isPresent()) {
            draft.reply(request.token(), refusal.get());
            return;
        }
        List<List<Integer>> assignment =
                Assignment.roundRobin(brokers, wanted.partitions(), wanted.replicationFactor(), request.random());
        SortedMap<Integer, VersionedState> partitions = new TreeMap<>();
        for (int number = 0; number < wanted.partitions(); number++) {
            partitions.put(number, new VersionedState(first(draft, request, number, assignment.get(number)), 0));
        }
        warnOfAlike(draft, wanted.name());
        draft.create(new Topic(wanted.name(), request.topicId(), 0, 0, wanted.configs(), partitions));
        draft.reply(request.token(), new Answer.TopicCreated(request.topicId()));
    }

    /** Changes a topic's overrides: min ISR may change, and a leader may be allowed that was not. */
    void onConfigs(ClusterDraft draft, TopicConfigsRequested request) {
        Topic topic = draft.topics.now().get(request.topic());
        if (topic == null) {
            draft.refuse(request.token(), ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, "no topic " + request.topic());
            return;
        }
        SortedMap<String, String> configs = new TreeMap<>(topic.configs());
        configs.keySet().removeAll(request.unset());
        configs.putAll(request.set());
        Optional<String> refusal = absent(topic, request.unset()).or(() -> TopicRules.refusal(configs));
        if (refusal.isPresent()) {
            draft.refuse(request.token(), ErrorCode.INVALID_CONFIG, refusal.get());
            return;
        }
        if (request.effect() == Effect.APPLIED && !configs.equals(topic.configs())) {
            draft.putConfigs(topic, configs);
            rules.applyMinIsr(draft);
            settlement.settle(draft, new TreeSet<>());
        }
        draft.reply(request.token(), new Answer.TopicConfigs(configs));
    }

    private static Optional<String> absent(Topic topic, SortedSet<String> unset) {
        return unset.stream()
                .filter(key -> !topic.configs().containsKey(key))
                .findFirst()
                .map(key -> "topic " + topic.name() + " has no " + TopicRules.brief(key) + " of its own, but "
                        + topic.configs().keySet());
    }

    private TopicSpec withDefaults(TopicSpec spec) {
        TopicDefaults defaults = settings.topicDefaults();
        return new TopicSpec(
                spec.name(),
                spec.partitions() == 0 ? defaults.partitions() : spec.partitions(),
                spec.replicationFactor() == 0 ? defaults.replicationFactor() : spec.replicationFactor(),
                spec.configs());
    }

    private Optional<Answer.Refused> refusal(ClusterDraft draft, TopicSpec wanted, int liveBrokers) {
        String name = wanted.name();
        if (!isLegalName(name)) {
            return refused(
                    ErrorCode.INVALID_TOPIC, "a topic name has 1 to 249 of a-z A-Z 0-9 . _ - and is neither . nor ..");
        }
        if (draft.topics.now().containsKey(name)) {
            return refused(ErrorCode.TOPIC_ALREADY_EXISTS, "topic " + name + " exists");
        }
        if (draft.deletions.now().containsKey(name)) {
            return refused(ErrorCode.TOPIC_ALREADY_EXISTS, "topic " + name + " is still being deleted");
        }
        if (wanted.partitions() < 1 || wanted.partitions() > settings.maxPartitionsPerTopic()) {
            return refused(
                    ErrorCode.INVALID_PARTITIONS,
                    "a topic has 1 to " + settings.maxPartitionsPerTopic() + " partitions, not " + wanted.partitions());
        }
        if (wanted.replicationFactor() < 1 || wanted.replicationFactor() > liveBrokers) {
            return refused(
                    ErrorCode.INVALID_REPLICATION_FACTOR,
                    "the replication factor is at least 1 and at most the " + liveBrokers + " live brokers, not "
                            + wanted.replicationFactor());
        }
        if (creationBytes(wanted) > MAX_CREATION_BYTES) {
            return refused(
                    ErrorCode.INVALID_PARTITIONS,
                    "a topic with that name and replication factor can have "
                            + MAX_CREATION_BYTES / partitionBytes(wanted) + " partitions, not " + wanted.partitions());
        }
        return TopicRules.refusal(wanted.configs()).flatMap(reason -> refused(ErrorCode.INVALID_CONFIG, reason));
    }

    private static long creationBytes(TopicSpec wanted) {
        return wanted.partitions() * partitionBytes(wanted);
    }

    /** At most: two paths with the name in each, and a member for each replica, as readable text. */
    private static long partitionBytes(TopicSpec wanted) {
        return PARTITION_BYTES + 2L * wanted.name().length() + MEMBER_BYTES * wanted.replicationFactor();
    }

    private static Optional<Answer.Refused> refused(ErrorCode error, String message) {
        return Optional.of(new Answer.Refused(error, message));
    }

    private PartitionState first(
            ClusterDraft draft, TopicCreationRequested request, int number, List<Integer> replicas) {
        BrokerView view = draft.view();
        List<Member> isr = replicas.stream().map(view::entry).toList();
        return new PartitionState(
                request.topicId(),
                new TopicPartition(request.spec().name(), number),
                replicas.get(0),
                0,
                0,
                replicas,
                isr,
                List.of(),
                rules.effectiveMinIsr(request.spec().configs(), replicas.size()),
                draft.controllerEpoch());
    }

    private static void warnOfAlike(ClusterDraft draft, String name) {
        String alike = name.replace('.', '_');
        draft.topics.now().keySet().stream()
                .filter(other -> other.replace('.', '_').equals(alike))
                .findFirst()
                .ifPresent(other -> draft.notice(
                        Notice.Kind.TOPIC_NAMES_ALIKE, "topics " + name + " and " + other + " have the same metrics"));
    }
}
