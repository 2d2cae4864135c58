package io.tidemark.server.status;

import io.tidemark.model.BrokerRegistration;
import io.tidemark.model.PartitionState;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

/** The status as one page of HTML: no script, nothing that is loaded from elsewhere. */
public final class StatusHtml {
    private static final String HEAD = """
            <!DOCTYPE html>
            <html lang="en"><head><meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <link rel="icon" href="data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E\
            %3Cpath d='M0 9q4-4 8 0t8 0v7H0z' fill='%2306c'/%3E%3C/svg%3E">
            <style>
            :root{color-scheme:light dark}
            body{font:15px/1.45 system-ui,sans-serif;margin:1.5rem auto;max-width:70rem;padding:0 1rem}
            h1{font-size:1.4rem;margin:0}h2{font-size:1.1rem;margin:1.6rem 0 .4rem}p{margin:.3rem 0}
            table{border-collapse:collapse}th,td{text-align:left;padding:.2rem .9rem .2rem 0;vertical-align:top}
            thead th{border-bottom:1px solid #8888}.facts th{font-weight:normal;opacity:.7}
            td{font-variant-numeric:tabular-nums}.wide{overflow-x:auto}
            .good,.bad{display:inline-block;border-radius:.3rem;padding:.1rem .6rem;color:#fff}
            .good{background:#17692f}.bad{background:#b3261e}footer{margin-top:2rem;opacity:.7}
            </style>
            """;

    private StatusHtml() {}

    public static String of(StatusReport report) {
        StatusReport.Self self = report.self();
        HtmlText page = new HtmlText().markup(HEAD).markup("<title>");
        page.text("Tidemark broker " + self.brokerId()).markup("</title></head>\n<body>\n<h1>");
        page.text("Tidemark broker " + self.brokerId()).markup("</h1>\n");
        verdict(page, report);
        self(page, report);
        office(page, report);
        brokers(page, report);
        troubles(page, report.troubles());
        elections(page, report);
        page.markup("<footer><p>");
        page.text("As this broker knew it at " + time(report.atMs()) + ". Read-only; ");
        page.markup("<a href=\"/status.json\">the same as JSON</a>, <a href=\"/metrics\">metrics</a>, "
                + "<a href=\"/readyz?verbose\">readiness</a>.</p></footer>\n</body></html>\n");
        return page.toString();
    }

    private static void verdict(HtmlText page, StatusReport report) {
        List<String> missing = report.self().missing();
        int troubles = report.troubles().total();
        page.markup("<p>");
        badge(page, missing.isEmpty() ? "good" : "bad", missing.isEmpty() ? "ready" : "not ready");
        page.text(" ");
        badge(
                page,
                troubles == 0 ? "good" : "bad",
                troubles + " of " + report.troubles().partitions() + " partitions in trouble");
        page.markup("</p>\n");
        missing.forEach(reason -> page.paragraph("Not ready: " + reason + "."));
    }

    private static void badge(HtmlText page, String kind, String text) {
        page.markup("<span class=\"" + kind + "\">").text(text).markup("</span>");
    }

    private static void self(HtmlText page, StatusReport report) {
        StatusReport.Self self = report.self();
        StatusReport.Told told = report.told();
        page.heading("This broker");
        page.facts(List.of(
                "State", self.state().name(),
                "Broker epoch", id(self.brokerEpoch()),
                "Cluster", self.clusterId(),
                "Version", self.version(),
                "ZooKeeper session", self.zooKeeper(),
                "Replicas", self.replicas() + ", of which it leads " + self.leaders(),
                "Stray logs", String.valueOf(self.strays()),
                "Controller",
                        told.controllerId() < 0
                                ? "none has spoken yet"
                                : "broker " + told.controllerId() + ", controller epoch " + told.controllerEpoch(),
                "Last told",
                        told.ageMs() < 0 ? "never" : age(told.ageMs()) + " ago (silence means that nothing changed)"));
    }

    private static void office(HtmlText page, StatusReport report) {
        StatusReport.Office office = report.office();
        if (office == null) {
            return;
        }
        page.heading("In office as the controller");
        page.facts(List.of(
                "Controller epoch", String.valueOf(office.controllerEpoch()),
                "Deciding", office.starting() ? "not yet: it asks brokers who they are" : "yes",
                "Not registered", ids(office.missing()),
                "In question", ids(office.inQuestion()),
                "On their way out", ids(office.departing()),
                "Recovery elections", String.valueOf(office.recoveries()),
                "Topics being deleted", String.valueOf(office.deletions())));
    }

    private static void brokers(HtmlText page, StatusReport report) {
        page.heading("Brokers");
        List<List<String>> rows = new ArrayList<>();
        for (BrokerRegistration broker : report.brokers().values()) {
            String role = broker.id() == report.told().controllerId() ? "controller" : "";
            String here = broker.id() == report.self().brokerId() ? "this broker" : "";
            rows.add(List.of(
                    String.valueOf(broker.id()),
                    String.valueOf(broker.brokerEpoch()),
                    broker.client().toString(),
                    broker.peer().toString(),
                    broker.http().toString(),
                    broker.rack(),
                    role.isEmpty() || here.isEmpty() ? role + here : role + ", " + here));
        }
        if (rows.isEmpty()) {
            page.paragraph("None is known yet.");
        } else {
            page.table(List.of("Id", "Epoch", "Clients", "Peers", "HTTP", "Rack", ""), rows);
        }
    }

    private static void troubles(HtmlText page, Troubles troubles) {
        page.heading("Partitions in trouble");
        if (troubles.total() == 0) {
            page.paragraph("None of " + troubles.partitions() + ".");
            return;
        }
        page.paragraph(troubles.count(Troubles.Kind.OFFLINE) + " offline, "
                + troubles.count(Troubles.Kind.UNDER_MIN_ISR) + " under min ISR, "
                + troubles.count(Troubles.Kind.UNDER_REPLICATED) + " under-replicated, of " + troubles.partitions()
                + ".");
        List<List<String>> rows = new ArrayList<>();
        for (Troubles.Trouble trouble : troubles.listed()) {
            PartitionState state = trouble.state();
            rows.add(List.of(
                    state.partition().toString(),
                    trouble.kind().name(),
                    id(state.leader()),
                    String.valueOf(state.leaderEpoch()),
                    ids(state.replicas()),
                    ids(state.isrIds()),
                    String.valueOf(state.effectiveMinIsr())));
        }
        page.table(List.of("Partition", "Trouble", "Leader", "Epoch", "Replicas", "In sync", "Min ISR"), rows);
        if (rows.size() < troubles.total()) {
            page.paragraph("The first " + rows.size() + " of " + troubles.total() + " are shown.");
        }
    }

    private static void elections(HtmlText page, StatusReport report) {
        page.heading("Recent elections");
        List<List<String>> rows = new ArrayList<>();
        for (Election election : report.elections()) {
            rows.add(List.of(
                    time(election.atMs()),
                    election.partition().toString(),
                    id(election.from()),
                    id(election.to()),
                    String.valueOf(election.leaderEpoch()),
                    election.reason()));
        }
        if (rows.isEmpty()) {
            page.paragraph("This broker has heard of none since it started.");
        } else {
            page.table(List.of("Told at", "Partition", "From", "To", "Epoch", "Reason"), rows);
        }
    }

    private static String id(long id) {
        return id < 0 ? "none" : String.valueOf(id);
    }

    private static String ids(List<Integer> ids) {
        return ids.isEmpty()
                ? "none"
                : String.join(", ", ids.stream().map(String::valueOf).toList());
    }

    private static String time(long timeMs) {
        return Instant.ofEpochMilli(timeMs).truncatedTo(ChronoUnit.MILLIS).toString();
    }

    private static String age(long ageMs) {
        Duration age = Duration.ofMillis(ageMs);
        if (age.toMinutes() == 0) {
            return age.toSeconds() + " s";
        }
        return age.toHours() == 0 ? age.toMinutes() + " min" : age.toHours() + " h " + age.toMinutesPart() + " min";
    }
}
