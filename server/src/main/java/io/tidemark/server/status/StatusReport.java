package io.tidemark.server.status;

import io.tidemark.model.BrokerRegistration;
import java.util.List;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * What the status page shows: one immutable picture, as this broker sees it.
 *
 * @param atMs when it was taken, in milliseconds since 1970
 * @param told what controllers have told this broker
 * @param brokers those that the controller lists, by id
 * @param elections the latest first
 * @param office what only the controller knows; null on another broker
 */
public record StatusReport(
        long atMs,
        Self self,
        Told told,
        SortedMap<Integer, BrokerRegistration> brokers,
        Troubles troubles,
        List<Election> elections,
        @Nullable Office office) {
    /**
     * This broker.
     *
     * @param brokerEpoch of its registration, or -1
     * @param zooKeeper state of its session
     * @param missing why it is not ready; empty when it is
     * @param replicas that it holds
     * @param leaders of these those that it leads
     * @param strays logs that the cluster does not place here; kept, not served
     */
    public record Self(
            int brokerId,
            long brokerEpoch,
            String clusterId,
            String version,
            BrokerState state,
            String zooKeeper,
            List<String> missing,
            int replicas,
            int leaders,
            int strays) {}

    /**
     * The source of what is shown of the cluster.
     *
     * @param controllerId that told it last, or -1
     * @param ageMs since the last thing that it told, or -1; nothing is told while nothing changes
     */
    public record Told(int controllerId, int controllerEpoch, long ageMs) {}

    /**
     * The controller's own knowledge.
     *
     * @param starting whether it is still asking brokers who they are, before its first election
     * @param missing ids of brokers that registered once and are not registered now
     * @param inQuestion of these those that are not taken for lost yet
     * @param departing registered, and on their way out
     * @param recoveries partitions that wait for a recovery election
     * @param deletions topics that are being deleted
     */
    public record Office(
            int controllerEpoch,
            boolean starting,
            List<Integer> missing,
            List<Integer> inQuestion,
            List<Integer> departing,
            int recoveries,
            int deletions) {}
}
