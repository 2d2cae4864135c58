package io.tidemark.server.status;

import io.tidemark.model.BrokerRegistration;
import io.tidemark.model.PartitionState;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The status as JSON: stable names in lower camel case, times in milliseconds, {@code office} only on the controller. */
public final class StatusJson {
    private StatusJson() {}

    public static String of(StatusReport report) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("atMs", report.atMs());
        json.put("broker", self(report.self()));
        json.put("controller", told(report.told()));
        json.put(
                "brokers",
                report.brokers().values().stream().map(StatusJson::broker).toList());
        json.put("partitions", troubles(report.troubles()));
        json.put(
                "elections",
                report.elections().stream().map(StatusJson::election).toList());
        StatusReport.Office office = report.office();
        if (office != null) {
            json.put("office", office(office));
        }
        return JsonText.of(json);
    }

    private static Map<String, Object> self(StatusReport.Self self) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("id", self.brokerId());
        json.put("epoch", self.brokerEpoch());
        json.put("clusterId", self.clusterId());
        json.put("version", self.version());
        json.put("state", self.state().name());
        json.put("zooKeeper", self.zooKeeper());
        json.put("ready", self.missing().isEmpty());
        json.put("missing", self.missing());
        json.put("replicas", self.replicas());
        json.put("leaders", self.leaders());
        json.put("strays", self.strays());
        return json;
    }

    private static Map<String, Object> told(StatusReport.Told told) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("id", told.controllerId());
        json.put("epoch", told.controllerEpoch());
        json.put("toldMsAgo", told.ageMs());
        return json;
    }

    private static Map<String, Object> broker(BrokerRegistration broker) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("id", broker.id());
        json.put("epoch", broker.brokerEpoch());
        json.put("client", broker.client().toString());
        json.put("peer", broker.peer().toString());
        json.put("http", broker.http().toString());
        json.put("rack", broker.rack());
        return json;
    }

    private static Map<String, Object> troubles(Troubles troubles) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("total", troubles.partitions());
        json.put("offline", troubles.count(Troubles.Kind.OFFLINE));
        json.put("underMinIsr", troubles.count(Troubles.Kind.UNDER_MIN_ISR));
        json.put("underReplicated", troubles.count(Troubles.Kind.UNDER_REPLICATED));
        json.put(
                "inTrouble", troubles.listed().stream().map(StatusJson::trouble).toList());
        return json;
    }

    private static Map<String, Object> trouble(Troubles.Trouble trouble) {
        PartitionState state = trouble.state();
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("topic", state.partition().topic());
        json.put("partition", state.partition().partition());
        json.put("trouble", trouble.kind().name());
        json.put("leader", state.leader());
        json.put("leaderEpoch", state.leaderEpoch());
        json.put("replicas", state.replicas());
        json.put("isr", state.isrIds());
        json.put("minIsr", state.effectiveMinIsr());
        return json;
    }

    private static Map<String, Object> election(Election election) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("atMs", election.atMs());
        json.put("topic", election.partition().topic());
        json.put("partition", election.partition().partition());
        json.put("from", election.from());
        json.put("to", election.to());
        json.put("leaderEpoch", election.leaderEpoch());
        json.put("reason", election.reason());
        return json;
    }

    private static Map<String, Object> office(StatusReport.Office office) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("controllerEpoch", office.controllerEpoch());
        json.put("starting", office.starting());
        json.put("missingBrokers", office.missing());
        json.put("brokersInQuestion", office.inQuestion());
        json.put("departingBrokers", office.departing());
        json.put("recoveryElections", office.recoveries());
        json.put("topicDeletions", office.deletions());
        return json;
    }

    /** Whether a broker is ready, and what it misses. */
    public static String readiness(BrokerState state, List<String> missing) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("ready", missing.isEmpty());
        json.put("state", state.name());
        json.put("missing", missing);
        return JsonText.of(json);
    }
}
