package io.tidemark.cli.health;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import io.tidemark.cli.Listing;
import io.tidemark.cli.Output;
import io.tidemark.client.admin.ClusterHealth;
import io.tidemark.client.admin.ClusterHealth.Member;
import io.tidemark.client.admin.ClusterHealth.Problem;
import io.tidemark.client.admin.ClusterHealth.Statement;
import io.tidemark.client.net.Metadata;
import java.util.List;
import java.util.Locale;

/** Prints how a cluster is: for people the members and the first problems, for programs everything. */
final class HealthReport {
    /** A cluster that lost a broker has thousands of partitions in trouble: nobody reads them all. */
    private static final int SHOWN_PROBLEMS = 20;

    private static final Listing<Member> MEMBERS = Listing.<Member>of(
                    HealthReport::json,
                    member -> Integer.toString(member.broker().id()))
            .number("BROKER", member -> member.broker().id())
            .text("ADDRESS", member -> member.broker().client().toString())
            .text("CONTROLLER", HealthReport::controller)
            .text("ANSWER", member -> member.statement() instanceof Statement.Silent silent ? silent.reason() : "ok");

    private final ClusterHealth health;

    HealthReport(ClusterHealth health) {
        this.health = health;
    }

    void print(Output output) {
        output.tree(json(), List.of(head()), MEMBERS, health.members().values());
        List<Problem> problems = health.problems();
        problems.stream()
                .limit(SHOWN_PROBLEMS)
                .forEach(problem -> output.remark(word(problem) + ": " + problem.text()));
        if (problems.size() > SHOWN_PROBLEMS) {
            output.remark("and " + (problems.size() - SHOWN_PROBLEMS)
                    + " more: tidemark partition list --offline --under-replicated shows the partitions");
        }
    }

    private String head() {
        return health.isHealthy()
                ? "healthy"
                : "not healthy: " + health.problems().size()
                        + (health.problems().size() == 1 ? " problem" : " problems");
    }

    private JsonObject json() {
        JsonArray brokers = new JsonArray();
        health.members().values().forEach(member -> brokers.add(json(member)));
        JsonArray problems = new JsonArray();
        for (Problem problem : health.problems()) {
            JsonObject json = new JsonObject();
            json.addProperty("kind", word(problem));
            json.addProperty("subject", problem.subject());
            json.addProperty("text", problem.text());
            problems.add(json);
        }
        JsonObject json = new JsonObject();
        json.addProperty("healthy", health.isHealthy());
        json.add("brokers", brokers);
        json.add("problems", problems);
        return json;
    }

    private static JsonObject json(Member member) {
        Metadata.Broker broker = member.broker();
        JsonObject json = new JsonObject();
        json.addProperty("id", broker.id());
        json.addProperty("address", broker.client().toString());
        json.addProperty("answered", member.statement() instanceof Statement.Said);
        json.addProperty("controller", member.controllerId());
        json.addProperty("controllerEpoch", member.controllerEpoch());
        return json;
    }

    private static String controller(Member member) {
        return member.controllerId() < 0
                ? "-"
                : "broker " + member.controllerId() + " (epoch " + member.controllerEpoch() + ")";
    }

    private static String word(Problem problem) {
        return problem.kind().name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
