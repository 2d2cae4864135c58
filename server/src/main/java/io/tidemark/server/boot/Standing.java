package io.tidemark.server.boot;

import io.tidemark.server.http.Readiness;
import io.tidemark.server.rpc.Health;
import io.tidemark.server.status.BrokerState;
import java.util.ArrayList;
import java.util.List;

/**
 * How far this broker has come: registered, told the whole state since, and in sync with its leaders. Thread-safe.
 */
final class Standing implements Readiness {
    private final Health health;
    private boolean registered;
    private boolean wasRegistered;
    private boolean told;
    private boolean inSync;
    private boolean stopping;

    Standing(Health health) {
        this.health = health;
    }

    synchronized void registered() {
        registered = true;
        wasRegistered = true;
        show();
    }

    synchronized void registrationLost() {
        registered = false;
        inSync = false;
        show();
    }

    /** @param outside number of partitions that the broker holds without being in their in-sync sets */
    synchronized void told(int outside) {
        told = true;
        inSync = outside == 0;
        show();
    }

    synchronized void stopping() {
        stopping = true;
        health.stopping();
    }

    @Override
    public synchronized List<String> missing() {
        List<String> missing = new ArrayList<>();
        if (stopping) {
            missing.add("the broker is stopping");
        }
        if (!registered) {
            missing.add("not registered in ZooKeeper");
        }
        if (!told) {
            missing.add("not told the cluster's state by a controller yet");
        }
        return missing;
    }

    synchronized BrokerState state() {
        if (stopping) {
            return BrokerState.STOPPING;
        }
        if (!registered) {
            return wasRegistered ? BrokerState.UNREGISTERED : BrokerState.STARTING;
        }
        return told ? BrokerState.RUNNING : BrokerState.WAITING;
    }

    private void show() {
        if (stopping) {
            return;
        }
        show(Health.Condition.READY, registered && told);
        // What it was told under an earlier registration may not hold any more.
        show(Health.Condition.IN_SYNC, registered && told && inSync);
    }

    private void show(Health.Condition condition, boolean holds) {
        if (holds) {
            health.holds(condition);
        } else {
            health.fails(condition);
        }
    }
}
