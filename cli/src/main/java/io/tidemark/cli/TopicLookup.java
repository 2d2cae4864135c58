package io.tidemark.cli;

import io.tidemark.cli.dev.Pause;
import io.tidemark.client.admin.Admin;
import io.tidemark.client.net.Metadata;
import io.tidemark.model.ClosestName;
import io.tidemark.model.Endpoint;
import io.tidemark.model.ErrorCode;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds the topic that a person named, or says which one was probably meant. */
public final class TopicLookup {
    /** A topic that was just made is not known to every broker yet: others are asked for so long. */
    private static final Duration NEWS_TRAVELS = Duration.ofMillis(500);

    private final ClusterOptions cluster;
    private final String what;

    /** @param what cannot be done without the topic */
    public TopicLookup(ClusterOptions cluster, String what) {
        this.cluster = cluster;
        this.what = what;
    }

    /** The topic, if it exists; else the command fails. */
    public Metadata.Topic find(String name) {
        return cluster.talk(admin -> find(admin, name));
    }

    /** The topic, if it exists, asked over an open connection; else the command fails. */
    public Metadata.Topic find(Admin admin, String name) {
        Question question = new Question(admin, name);
        boolean unused = Pause.until(question::ask, NEWS_TRAVELS);
        Metadata.Topic topic = question.topic;
        if (topic == null) {
            throw unknown(name, cluster.answer(what, admin.describeCluster()));
        }
        return topic;
    }

    /** Asks again and again. */
    private final class Question {
        private final Admin admin;
        private final String name;
        private Metadata.@Nullable Topic topic;

        Question(Admin admin, String name) {
            this.admin = admin;
            this.name = name;
        }

        boolean ask() {
            Metadata.Topic told =
                    cluster.answer(what, admin.describeTopic(name)).topics().get(name);
            topic = told == null || told.error() != ErrorCode.NONE ? null : told;
            return topic != null;
        }
    }

    /** The topic has no such partition. */
    public static CommandFailure noPartition(String what, Metadata.Topic topic, int partition) {
        return new CommandFailure(
                ExitCode.FAILED,
                what + ": topic " + topic.name() + " has partitions 0 to "
                        + (topic.partitions().size() - 1) + ", not " + partition,
                "tidemark topic describe " + topic.name() + " shows them");
    }

    private CommandFailure unknown(String name, Metadata metadata) {
        List<String> names = List.copyOf(metadata.topics().keySet());
        String meant = ClosestName.of(name, names)
                .map(closest -> "; did you mean " + closest + "?")
                .orElse("");
        return new CommandFailure(
                ExitCode.FAILED,
                what + ": there is no topic " + name + " (said " + broker(metadata) + ")" + meant,
                "tidemark topic list shows the " + names.size() + " there are");
    }

    private static String broker(Metadata metadata) {
        Metadata.Broker broker = metadata.brokers().get(metadata.answeredBy());
        Endpoint address = broker == null ? null : broker.client();
        return "broker " + metadata.answeredBy() + (address == null ? "" : " at " + address);
    }
}
