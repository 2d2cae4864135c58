package io.tidemark.server.rpc;

import io.grpc.BindableService;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.protobuf.services.HealthStatusManager;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * What {@code grpc.health.v1} says on both listeners. The process is alive under the empty name from the start; the rest does
 * not hold until it is said to. Thread-safe.
 */
public final class Health {
    private final HealthStatusManager statuses = new HealthStatusManager();
    private final AtomicBoolean stopping = new AtomicBoolean();

    /** Conditions that are kept apart on purpose: a broker can be ready without being in sync. */
    public enum Condition {
        /** Registered, recovered, and told the whole state by a controller. */
        READY("tidemark.ready"),
        /** In every in-sync set that it belongs to. */
        IN_SYNC("tidemark.in-sync"),
        /** Above the disk floor. */
        WRITABLE("tidemark.writable");

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

    public void holds(Condition condition) {
        statuses.setStatus(condition.service, ServingStatus.SERVING);
    }

    public void fails(Condition condition) {
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
