package io.tidemark.client.net;

import io.tidemark.model.Endpoint;
import io.tidemark.model.ErrorCode;
import io.tidemark.model.TopicPartition;
import io.tidemark.runtime.Cancellable;
import io.tidemark.runtime.Clock;
import io.tidemark.runtime.EventLoop;
import io.tidemark.runtime.Randomness;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What producer, consumer and admin share: who leads what, and connections to them. Lives on one loop; every method is
 * called there, and every answer is given there.
 *
 * <p>Metadata is refreshed when it is asked for by {@link #refresh} (at most one request at a time, with a pause between
 * failures) and every {@code maxAge}; brokers take turns, live ones first, then the bootstrap addresses.
 */
public final class ClusterClient {
    private static final Logger LOG = LoggerFactory.getLogger(ClusterClient.class);

    private final Settings settings;
    private final EventLoop loop;
    private final Clock clock;
    private final Randomness randomness;
    private final Connections connections;
    private final SortedSet<String> topics = new TreeSet<>();
    private final Set<Runnable> listeners = new LinkedHashSet<>();

    private volatile Metadata metadata = Metadata.NONE;
    private boolean refreshing;
    private boolean refreshWanted;
    private boolean asked;
    private long lastAskNs;
    private int failures;
    private int turn;
    private Cancellable timer = () -> {};
    private boolean closed;
    private volatile String lastProblem = "";

    /**
     * @param bootstrap addresses to begin with, at least one
     * @param maxAge after which metadata is refreshed unasked
     */
    public record Settings(List<Endpoint> bootstrap, Duration maxAge, RetryRules retries) {}

    public ClusterClient(Settings settings, ClientRuntime runtime, ClientTransport transport) {
        if (settings.bootstrap().isEmpty()) {
            throw new IllegalArgumentException("at least one bootstrap address is needed");
        }
        this.settings = settings;
        this.loop = runtime.loop();
        this.clock = runtime.clock();
        this.randomness = runtime.randomness();
        this.connections = new Connections(transport);
        this.turn = randomness.nextInt(settings.bootstrap().size());
    }

    public EventLoop loop() {
        return loop;
    }

    public Clock clock() {
        return clock;
    }

    public Randomness randomness() {
        return randomness;
    }

    public RetryRules retries() {
        return settings.retries();
    }

    /** The latest metadata; may be read on any thread. */
    public Metadata metadata() {
        return metadata;
    }

    /** Why the last refresh failed, or empty; may be read on any thread. */
    public String lastProblem() {
        return lastProblem;
    }

    /** Calls {@code listener} on the loop after each refresh, successful or not, until that is cancelled. */
    public Cancellable onRefresh(Runnable listener) {
        listeners.add(listener);
        return () -> listeners.remove(listener);
    }

    /** Keeps the topic's metadata from now on. */
    public void track(String topic) {
        if (topics.add(topic)) {
            refresh();
        }
    }

    /**
     * Keeps nothing of a name any more that is no topic's, as far as is known: there may be many of those. Whoever still
     * needs it tracks it again.
     */
    public void forgetUnlessKnown(String topic) {
        Metadata.Topic told = metadata.topics().get(topic);
        if (told == null || told.partitions().isEmpty()) {
            topics.remove(topic);
            metadata = metadata.without(topic);
        }
    }

    /** The connection to a partition's leader, or null while none is known. */
    public @Nullable BrokerConnection leaderOf(TopicPartition partition) {
        Metadata.Partition known = metadata.partition(partition);
        return known == null ? null : broker(known.leader());
    }

    /** The connection to a broker, or null if it is not known to live. */
    public @Nullable BrokerConnection broker(int brokerId) {
        Metadata.Broker broker = metadata.brokers().get(brokerId);
        return broker == null ? null : connections.to(broker.client());
    }

    /** The connection to an address, whoever is there. */
    public BrokerConnection at(Endpoint broker) {
        return connections.to(broker);
    }

    /** Any broker; a different one each time. */
    public BrokerConnection any() {
        List<Endpoint> candidates = candidates();
        turn++;
        return connections.to(candidates.get(Math.floorMod(turn, candidates.size())));
    }

    /** Asks for fresh metadata soon; requests that come meanwhile are one. */
    public void refresh() {
        if (closed) {
            return;
        }
        if (refreshing) {
            refreshWanted = true;
            return;
        }
        refreshing = true;
        refreshWanted = false;
        timer.cancel();
        timer = loop.schedule(failures > 0 ? retries().pause(failures, randomness) : untilNextTurn(), this::ask);
    }

    /** Fails what is open and closes all connections. */
    public void close() {
        closed = true;
        timer.cancel();
        connections.close();
    }

    /** Who asks for fresh metadata again and again, because a leader is still missing, does not get a tight loop. */
    private Duration untilNextTurn() {
        long sinceNs = clock.monotonicNs() - lastAskNs;
        long waitNs = settings.retries().first().toNanos() - sinceNs;
        return asked && waitNs > 0 ? Duration.ofNanos(waitNs) : Duration.ZERO;
    }

    private void ask() {
        if (closed) {
            return;
        }
        asked = true;
        lastAskNs = clock.monotonicNs();
        Wire.MetadataCall call = new Wire.MetadataCall(List.copyOf(topics), Wire.MetadataCall.Scope.NAMED);
        any().metadata(call, reply -> loop.execute(() -> onMetadata(reply)));
    }

    private void onMetadata(Reply<Metadata> reply) {
        if (closed) {
            return;
        }
        refreshing = false;
        Metadata told = reply.orNull();
        boolean usable = told != null && !told.brokers().isEmpty();
        if (usable && told != null) {
            failures = 0;
            lastProblem = "";
            Metadata before = metadata;
            metadata = withoutStrangers(before.merge(told));
            reconnectToNew(before);
            connections.keepOnly(candidates());
            timer = loop.schedule(settings.maxAge(), this::refresh);
        } else {
            failures++;
            lastProblem = reply instanceof Reply.Failure<Metadata> failure
                    ? failure.error() + ": " + failure.message()
                    : "the broker does not know the cluster yet";
            LOG.debug("no metadata: {}", lastProblem);
            refreshWanted = true;
        }
        List.copyOf(listeners).forEach(Runnable::run);
        if (refreshWanted) {
            refresh();
        }
    }

    /** The question may be older than the moment in which a name that is no topic's was forgotten. */
    private Metadata withoutStrangers(Metadata told) {
        Metadata kept = told;
        for (Metadata.Topic topic : told.topics().values()) {
            if (topic.error() != ErrorCode.NONE && !topics.contains(topic.name())) {
                kept = kept.without(topic.name());
            }
        }
        return kept;
    }

    /** A bootstrap address keeps its connection while its broker is away, and its pauses with it. */
    private void reconnectToNew(Metadata before) {
        metadata.brokers().forEach((id, broker) -> {
            if (!broker.equals(before.brokers().get(id))) {
                connections.reconnect(broker.client());
            }
        });
    }

    private List<Endpoint> candidates() {
        List<Endpoint> candidates = new ArrayList<>();
        metadata.brokers().values().forEach(broker -> candidates.add(broker.client()));
        for (Endpoint endpoint : settings.bootstrap()) {
            if (!candidates.contains(endpoint)) {
                candidates.add(endpoint);
            }
        }
        return candidates;
    }

    /** An error for a topic that metadata says does not exist, or null. */
    public @Nullable ErrorCode topicError(String topic) {
        Metadata.Topic known = metadata.topics().get(topic);
        return known == null || known.error() == ErrorCode.NONE ? null : known.error();
    }
}
