package io.tidemark.coordination.controller;

import io.tidemark.coordination.broker.PeerIdentifier;
import io.tidemark.coordination.cluster.ClusterEvent;
import io.tidemark.coordination.cluster.Command;
import io.tidemark.coordination.cluster.LogEnd;
import io.tidemark.coordination.controller.BrokerCommands.LogQuery;
import io.tidemark.model.BrokerRegistration;
import io.tidemark.model.TopicPartition;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Carries out the commands of committed decisions; what comes back becomes an event of the same term. */
final class CommandRunner {
    static final Comparator<Command.TimerKey> TIMER_ORDER =
            Comparator.comparing(Command.TimerKey::purpose).thenComparingInt(Command.TimerKey::brokerId);

    private final ControllerPorts ports;
    private final Term term;

    CommandRunner(ControllerPorts ports, Term term) {
        this.ports = ports;
        this.term = term;
    }

    void run(Command command) {
        if (command instanceof Command.PushChanges push) {
            term.pushes().changes(push.partitions(), push.deletedTopics());
        } else if (command instanceof Command.PushFull push) {
            BrokerRegistration broker = term.committed().reachable().get(push.brokerId());
            if (broker != null) {
                term.pushes().full(broker);
            }
        } else if (command instanceof Command.Identify identify) {
            identify(identify.at());
        } else if (command instanceof Command.DescribeLogEnds describe) {
            describe(describe);
        } else if (command instanceof Command.StartTimer timer) {
            term.startTimer(timer);
        } else if (command instanceof Command.CancelTimer timer) {
            term.cancelTimer(timer.key());
        } else if (command instanceof Command.Disconnect disconnect) {
            term.pushes().end(disconnect.brokerId());
            ports.commands().disconnect(disconnect.brokerId());
        } else if (command instanceof Command.Reply reply) {
            term.reply(reply.token(), reply.answer());
        } else {
            throw new IllegalStateException("no way to carry out " + command);
        }
    }

    private void identify(BrokerRegistration at) {
        ports.commands()
                .identify(
                        at,
                        identity -> event(
                                new ClusterEvent.IdentifyAnswered(at.id(), at.brokerEpoch(), nonce(at, identity))));
    }

    private OptionalLong nonce(BrokerRegistration asked, PeerIdentifier.@Nullable Identity identity) {
        if (identity == null
                || identity.brokerId() != asked.id()
                || !identity.clusterId().equals(ports.clusterId())) {
            return OptionalLong.empty();
        }
        return OptionalLong.of(identity.processNonce());
    }

    private void describe(Command.DescribeLogEnds command) {
        List<LogQuery> queries = new ArrayList<>();
        command.logs().forEach((partition, id) -> queries.add(new LogQuery(id, partition)));
        BrokerRegistration of = command.of();
        ports.commands()
                .describeLogEnds(
                        of,
                        queries,
                        answer -> event(new ClusterEvent.LogEndsAnswered(
                                command.round(), of.id(), of.brokerEpoch(), ends(of, answer))));
    }

    private static @Nullable SortedMap<TopicPartition, LogEnd> ends(
            BrokerRegistration asked, BrokerCommands.@Nullable LogEnds answer) {
        if (answer == null || answer.brokerEpoch() != asked.brokerEpoch()) {
            return null;
        }
        SortedMap<TopicPartition, LogEnd> ends = new TreeMap<>();
        answer.ends()
                .forEach(end -> ends.put(
                        end.partition(),
                        end.present() ? new LogEnd(end.lastEpoch(), end.logEndOffset()) : LogEnd.EMPTY));
        return ends;
    }

    private void event(ClusterEvent event) {
        ports.loop().execute(() -> term.handle(event));
    }
}
