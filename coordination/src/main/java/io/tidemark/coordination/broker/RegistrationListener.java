package io.tidemark.coordination.broker;

import io.tidemark.model.BrokerRegistration;

/** What becomes of a broker's registration. Called on the registrar's loop; must not block it. */
public interface RegistrationListener {
    /**
     * The node stands. The broker forces the broker epoch and the boot id into every log directory (DESIGN section 6)
     * and calls {@code done}, from any thread; before that it does not count as registered. May be called again for the
     * same registration after a reconnection; a {@code done} that came too late is ignored.
     */
    void beforeAnnounce(BrokerRegistration registration, Runnable done);

    /** The broker is registered under {@link BrokerRegistration#brokerEpoch()}, which differs from all before. */
    void registered(BrokerRegistration registration);

    /** The registration that was told last is gone; the registrar seeks a new one. The broker goes on serving. */
    void lost();

    /** The broker cannot be registered, now or later: it has to end. Nothing is told after this. */
    void failed(RegistrationFailure failure);
}
