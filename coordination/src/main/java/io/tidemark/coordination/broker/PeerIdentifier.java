package io.tidemark.coordination.broker;

import io.tidemark.model.BrokerRegistration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Asks whoever listens at a registered broker's peer address who it is. Never blocks, never throws. */
@FunctionalInterface
public interface PeerIdentifier {
    /** Answers exactly once, on any thread, within a second; null if nobody answered. */
    void identify(BrokerRegistration at, Consumer<@Nullable Identity> answer);

    /** Who answered. */
    record Identity(String clusterId, int brokerId, long processNonce) {}
}
