package io.tidemark.coordination.controller;

import io.tidemark.coordination.zookeeper.Decoded;
import io.tidemark.coordination.zookeeper.ZkCodec;
import io.tidemark.coordination.zookeeper.ZkNode;
import io.tidemark.coordination.zookeeper.ZkPaths;
import io.tidemark.coordination.zookeeper.ZkResult;
import io.tidemark.coordination.zookeeper.ZkSession;
import io.tidemark.coordination.zookeeper.ZkSession.ZkWatch;
import io.tidemark.model.BrokerRegistration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the registered brokers, first and after each change of their set, for as long as one controller's term lasts.
 * The watch is set by the read that it follows, so no change is missed: a node that was deleted and created between two
 * reads is told by its creation id (KAFKA-7235). Runs on the session's loop.
 */
final class BrokerWatch {
    private static final Logger LOG = LoggerFactory.getLogger(BrokerWatch.class);

    private final ZkSession session;
    private final Consumer<SortedMap<Integer, BrokerRegistration>> onChange;
    private boolean closed;
    private boolean reading;
    private boolean changedMeanwhile;

    BrokerWatch(ZkSession session, Consumer<SortedMap<Integer, BrokerRegistration>> onChange) {
        this.session = session;
        this.onChange = onChange;
    }

    /** Begins with a read. */
    void start() {
        read();
    }

    /** Tells nothing any more. */
    void close() {
        closed = true;
    }

    private void changed() {
        if (reading) {
            changedMeanwhile = true;
        } else {
            read();
        }
    }

    private void read() {
        if (closed) {
            return;
        }
        reading = true;
        changedMeanwhile = false;
        session.children(ZkPaths.BROKER_IDS, path -> changed(), answer -> {
            List<String> names = answer.value();
            if (answer.isOk() && names != null) {
                readEach(names);
            } else {
                // A lost connection ends the term; the next one reads again.
                LOG.warn("cannot list the registered brokers: {}", answer.kind());
            }
        });
    }

    private void readEach(List<String> names) {
        List<Integer> ids = new ArrayList<>();
        for (String name : names) {
            OptionalInt id = ZkPaths.number(name);
            if (id.isPresent()) {
                ids.add(id.getAsInt());
            } else {
                LOG.warn("not a broker id: {}/{}", ZkPaths.BROKER_IDS, name);
            }
        }
        SortedMap<Integer, BrokerRegistration> registrations = new TreeMap<>();
        if (ids.isEmpty()) {
            done(registrations);
            return;
        }
        int last = ids.get(ids.size() - 1);
        for (int id : ids) {
            session.get(ZkPaths.broker(id), ZkWatch.NONE, answer -> {
                take(id, answer, registrations);
                if (id == last) {
                    done(registrations);
                }
            });
        }
    }

    private static void take(int id, ZkResult<ZkNode> answer, SortedMap<Integer, BrokerRegistration> registrations) {
        ZkNode node = answer.value();
        if (!answer.isOk() || node == null) {
            return;
        }
        Decoded<BrokerRegistration> registration = ZkCodec.decodeBroker(id, node);
        if (registration.isOk()) {
            registrations.put(id, registration.orThrow());
        } else {
            LOG.error("broker {} counts as not registered: {}", id, registration.problem());
        }
    }

    private void done(SortedMap<Integer, BrokerRegistration> registrations) {
        reading = false;
        if (closed) {
            return;
        }
        if (changedMeanwhile) {
            read();
        } else {
            onChange.accept(registrations);
        }
    }
}
