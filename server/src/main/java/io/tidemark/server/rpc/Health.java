package io.tidemark.server.rpc;

import io.grpc.BindableService;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.protobuf.services.HealthStatusManager;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * What {@code grpc.health.v1} says on both listeners. The process is alive under the empty name from the start; the rest does
 * not hold until it is said to. Thread-safe.
 */
public final class Health {
    private final HealthStatusManager statuses = new HealthStatusManager();
    private final AtomicBoolean stopping = new AtomicBoolean();
    private final Set<Condition> holding = ConcurrentHashMap.newKeySet();

    /** Conditions that are kept apart on purpose: a broker can be ready without being in sync. */
    public enum Condition {
        /** Registered, recovered, and told the whole state by a controller. */
        READY("tidemark.ready"),
        /** Ready, and in the in-sync set of every partition that it holds. */
        IN_SYNC("tidemark.in-sync");

        private final String service;

        Condition(String service) {
            this.service = service;
        }

        /** The name under which clients ask. */
        public String service() {
            return service;
        }
    }

    public Health() {
        for (Condition condition : Condition.values()) {
            fails(condition);
        }
    }

    /** Whether it says so now. */
    public boolean isHolding(Condition condition) {
        return !stopping.get() && holding.contains(condition);
    }

    public void holds(Condition condition) {
        holding.add(condition);
        statuses.setStatus(condition.service, ServingStatus.SERVING);
    }

    public void fails(Condition condition) {
        holding.remove(condition);
        statuses.setStatus(condition.service, ServingStatus.NOT_SERVING);
    }

    /** Says NOT_SERVING for everything from now on. Idempotent. */
    public void stopping() {
        if (stopping.compareAndSet(false, true)) {
            statuses.enterTerminalState();
        }
    }

    BindableService service() {
        return statuses.getHealthService();
    }
}
