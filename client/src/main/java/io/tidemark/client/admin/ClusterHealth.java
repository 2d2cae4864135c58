package io.tidemark.client.admin;

import io.tidemark.client.net.Metadata;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Whether a cluster is well, from what each of its live brokers says (OPERATIONS 1.2, {@code cluster health}). A function of
 * what was said; immutable.
 *
 * <p>Partitions are judged by what the broker says that has heard most; brokers that know less, or something else, are
 * problems of their own, and so are brokers that assignments name and that do not live.
 *
 * @param members by broker id: every live broker
 * @param problems nothing if the cluster is well; partitions by name within each kind
 */
public record ClusterHealth(SortedMap<Integer, Member> members, List<Problem> problems) {
    public ClusterHealth {
        members = Collections.unmodifiableSortedMap(new TreeMap<>(members));
        problems = List.copyOf(problems);
    }

    /** What a live broker said about the cluster, or why it said nothing. */
    public sealed interface Statement {
        /** Its answer. */
        record Said(Metadata metadata) implements Statement {}

        /** It did not answer. */
        record Silent(String reason) implements Statement {}
    }

    /**
     * A live broker.
     *
     * @param controllerId whom it takes for the controller; -1 for nobody, or if it is silent
     */
    public record Member(Metadata.Broker broker, Statement statement, int controllerId, int controllerEpoch) {}

    /** What may be wrong, the worst first. */
    public enum Kind {
        NO_CONTROLLER,
        OFFLINE,
        UNDER_MIN_ISR,
        BROKER_MISSING,
        BROKER_SILENT,
        UNDER_REPLICATED,
        /** Transient after every change; for longer it means that a broker hears nothing of the controller. */
        DISAGREEMENT
    }

    /**
     * Something that is wrong.
     *
     * @param subject the partition as {@code topic/number}, the broker's id, or empty for the cluster
     */
    public record Problem(Kind kind, String subject, String text) {}

    /** Whether nothing is wrong. */
    public boolean isHealthy() {
        return problems.isEmpty();
    }

    /**
     * The verdict.
     *
     * @param brokers live ones, by id
     * @param statements one for each of them
     */
    public static ClusterHealth of(
            SortedMap<Integer, Metadata.Broker> brokers, SortedMap<Integer, Statement> statements) {
        SortedMap<Integer, Member> members = new TreeMap<>();
        brokers.forEach((id, broker) ->
                members.put(id, member(broker, statements.getOrDefault(id, new Statement.Silent("was not asked")))));
        List<Problem> problems = new ArrayList<>();
        Optional<Metadata> newest = newest(members);
        newest.ifPresentOrElse(
                metadata -> judge(metadata, brokers.keySet(), problems),
                () -> problems.add(new Problem(Kind.NO_CONTROLLER, "", "no broker says who is the controller")));
        for (Member member : members.values()) {
            if (member.statement() instanceof Statement.Silent silent) {
                problems.add(brokerProblem(Kind.BROKER_SILENT, member, "does not answer: " + silent.reason()));
            } else if (member.statement() instanceof Statement.Said said && newest.isPresent()) {
                differences(said.metadata(), newest.get())
                        .ifPresent(text -> problems.add(brokerProblem(Kind.DISAGREEMENT, member, text)));
            }
        }
        problems.sort((one, other) -> one.kind().compareTo(other.kind()));
        return new ClusterHealth(members, problems);
    }

    private static Member member(Metadata.Broker broker, Statement statement) {
        return statement instanceof Statement.Said said
                ? new Member(
                        broker,
                        statement,
                        said.metadata().controllerId(),
                        said.metadata().controllerEpoch())
                : new Member(broker, statement, -1, -1);
    }

    /** What the broker says that has heard of the latest controller, and of its latest decisions. */
    private static Optional<Metadata> newest(SortedMap<Integer, Member> members) {
        Metadata best = Metadata.NONE;
        for (Member member : members.values()) {
            if (member.statement() instanceof Statement.Said said && isNewer(said.metadata(), best)) {
                best = said.metadata();
            }
        }
        return best.controllerId() < 0 ? Optional.empty() : Optional.of(best);
    }

    private static boolean isNewer(Metadata one, Metadata other) {
        return one.controllerEpoch() > other.controllerEpoch()
                || (one.controllerEpoch() == other.controllerEpoch() && decisions(one) > decisions(other));
    }

    private static long decisions(Metadata metadata) {
        return metadata.topics().values().stream()
                .flatMap(topic -> topic.partitions().values().stream())
                .mapToLong(Metadata.Partition::partitionEpoch)
                .sum();
    }

    private static void judge(Metadata metadata, Set<Integer> live, List<Problem> problems) {
        SortedSet<Integer> missing = new TreeSet<>();
        metadata.topics()
                .values()
                .forEach(topic -> topic.partitions().values().forEach(partition -> {
                    missing.addAll(partition.replicas());
                    judge(topic.name() + "/" + partition.partition(), partition, problems);
                }));
        missing.removeAll(live);
        missing.forEach(id -> problems.add(new Problem(
                Kind.BROKER_MISSING, Integer.toString(id), "broker " + id + " has replicas and is not here")));
    }

    private static void judge(String name, Metadata.Partition partition, List<Problem> problems) {
        String inSync = partition.isr() + " of " + partition.replicas() + " in sync";
        if (partition.isOffline()) {
            problems.add(new Problem(Kind.OFFLINE, name, name + " has no leader, " + inSync));
        } else if (partition.isUnderMinIsr()) {
            String text = name + ": " + inSync + ", " + partition.minIsr() + " are needed for acks=all";
            problems.add(new Problem(Kind.UNDER_MIN_ISR, name, text));
        } else if (partition.isUnderReplicated()) {
            problems.add(new Problem(Kind.UNDER_REPLICATED, name, name + ": " + inSync));
        }
    }

    private static Problem brokerProblem(Kind kind, Member member, String text) {
        int id = member.broker().id();
        return new Problem(
                kind,
                Integer.toString(id),
                "broker " + id + " at " + member.broker().client() + " " + text);
    }

    /** In what a broker knows less than the one that has heard most, or something else. */
    private static Optional<String> differences(Metadata said, Metadata newest) {
        if (said.controllerEpoch() != newest.controllerEpoch() || said.controllerId() != newest.controllerId()) {
            return Optional.of("takes broker " + said.controllerId() + " (epoch " + said.controllerEpoch()
                    + ") for the controller, not broker " + newest.controllerId() + " (epoch "
                    + newest.controllerEpoch() + ")");
        }
        if (!said.brokers().keySet().equals(newest.brokers().keySet())) {
            return Optional.of("takes brokers " + said.brokers().keySet() + " for alive, not "
                    + newest.brokers().keySet());
        }
        long stale = newest.topics().values().stream()
                .flatMap(topic ->
                        topic.partitions().values().stream().filter(partition -> !knows(said, topic, partition)))
                .count();
        return stale == 0 ? Optional.empty() : Optional.of("has not heard the latest of " + stale + " partitions");
    }

    private static boolean knows(Metadata said, Metadata.Topic topic, Metadata.Partition partition) {
        Metadata.Topic known = said.topics().get(topic.name());
        Metadata.Partition same = known == null ? null : known.partitions().get(partition.partition());
        return same != null && same.partitionEpoch() == partition.partitionEpoch();
    }
}
