package io.tidemark.server.boot;

import io.tidemark.server.http.Readiness;
import io.tidemark.server.rpc.Health;
import java.util.Optional;

/** How far this broker has come: registered, and told the whole state since. Thread-safe. */
final class Standing implements Readiness {
    private final Health health;
    private boolean registered;
    private boolean told;
    private boolean stopping;

    Standing(Health health) {
        this.health = health;
    }

    synchronized void registered() {
        registered = true;
        show();
    }

    synchronized void registrationLost() {
        registered = false;
        show();
    }

    synchronized void told() {
        told = true;
        show();
    }

    synchronized void stopping() {
        stopping = true;
        health.stopping();
    }

    @Override
    public synchronized Optional<String> missing() {
        if (stopping) {
            return Optional.of("the broker is stopping");
        }
        if (!registered) {
            return Optional.of("not registered in ZooKeeper");
        }
        return told ? Optional.empty() : Optional.of("not told the cluster's state by a controller yet");
    }

    private void show() {
        if (stopping) {
            return;
        }
        if (registered && told) {
            health.holds(Health.Condition.READY);
        } else {
            health.fails(Health.Condition.READY);
        }
    }
}
