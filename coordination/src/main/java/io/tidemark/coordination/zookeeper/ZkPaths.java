package io.tidemark.coordination.zookeeper;

import io.tidemark.model.TopicPartition;
import java.util.List;
import java.util.OptionalInt;

/**
 * Where things stand in ZooKeeper (DESIGN section 6). All paths are absolute below the chroot; the last column names
 * the writer, of which each node has one.
 *
 * <pre>
 * /cluster/id                            the cluster's identity             first broker
 * /brokers/ids/&lt;id&gt;                      registration, ephemeral            that broker
 * /brokers/incarnations/&lt;id&gt;             incarnation                        controller
 * /controller                            who is controller, ephemeral       that broker
 * /controller_epoch                      guards every controller write      controller
 * /topics/&lt;topic&gt;                        id, replicas, adding, removing     controller
 * /topics/&lt;topic&gt;/partitions/&lt;n&gt;/state   leader, ISR, eligible, epochs      controller
 * /config/topics/&lt;topic&gt;                 overrides of the broker's defaults controller
 * /admin                                 operators' requests in progress    controller
 * /producer_id_block                     last block handed out              controller
 * </pre>
 */
public final class ZkPaths {
    public static final String CLUSTER = "/cluster";
    public static final String CLUSTER_ID = "/cluster/id";
    public static final String BROKERS = "/brokers";
    public static final String BROKER_IDS = "/brokers/ids";
    public static final String BROKER_INCARNATIONS = "/brokers/incarnations";
    public static final String CONTROLLER = "/controller";
    public static final String CONTROLLER_EPOCH = "/controller_epoch";
    public static final String TOPICS = "/topics";
    public static final String CONFIG = "/config";
    public static final String CONFIG_TOPICS = "/config/topics";
    public static final String ADMIN = "/admin";
    public static final String PRODUCER_ID_BLOCK = "/producer_id_block";

    /** Empty persistent nodes that must exist before anything else, parents first. */
    public static final List<String> SKELETON =
            List.of(CLUSTER, BROKERS, BROKER_IDS, BROKER_INCARNATIONS, TOPICS, CONFIG, CONFIG_TOPICS, ADMIN);

    private ZkPaths() {}

    /** Registration of a broker. */
    public static String broker(int brokerId) {
        return BROKER_IDS + "/" + brokerId;
    }

    /** Recorded incarnation of a broker. */
    public static String incarnation(int brokerId) {
        return BROKER_INCARNATIONS + "/" + brokerId;
    }

    /** A topic's id and assignment. */
    public static String topic(String topic) {
        return TOPICS + "/" + segment(topic);
    }

    /** Parent of a topic's partitions. */
    public static String partitions(String topic) {
        return topic(topic) + "/partitions";
    }

    /** Parent of a partition's state. */
    public static String partition(TopicPartition partition) {
        return partitions(partition.topic()) + "/" + partition.partition();
    }

    /** State of a partition. */
    public static String partitionState(TopicPartition partition) {
        return partition(partition) + "/state";
    }

    /** A topic's configuration. */
    public static String topicConfig(String topic) {
        return CONFIG_TOPICS + "/" + segment(topic);
    }

    /** The number that a child of {@link #BROKER_IDS}, or of a topic's partitions, is named by; empty for other names. */
    public static OptionalInt number(String childName) {
        boolean digits = !childName.isEmpty()
                && childName.length() <= 10
                && childName.chars().allMatch(c -> c >= '0' && c <= '9');
        if (!digits) {
            return OptionalInt.empty();
        }
        long value = Long.parseLong(childName);
        boolean canonical = value <= Integer.MAX_VALUE && Long.toString(value).equals(childName);
        return canonical ? OptionalInt.of((int) value) : OptionalInt.empty();
    }

    private static String segment(String name) {
        if (name.isEmpty() || name.indexOf('/') >= 0) {
            throw new IllegalArgumentException("not a node name: \"" + name + "\"");
        }
        return name;
    }
}
