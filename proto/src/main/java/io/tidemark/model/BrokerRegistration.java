package io.tidemark.model;

import java.util.List;

/**
 * A registered broker: the content of {@code /brokers/ids/<id>} together with what ZooKeeper and the controller add.
 *
 * @param id broker id
 * @param brokerEpoch creation id (czxid) of the registration node: it fences requests, nothing else
 * @param processNonce random number of the process, by which {@code Identify} recognises it
 * @param client where clients connect
 * @param peer where brokers and the controller connect
 * @param http metrics and health
 * @param rack failure domain, or empty
 * @param directoryIds identities of its log directories, sorted
 * @param continuesEpoch the last broker epoch whose logs this registration can prove to hold, or -1 (DESIGN section 6)
 */
public record BrokerRegistration(
        int id,
        long brokerEpoch,
        long processNonce,
        Endpoint client,
        Endpoint peer,
        Endpoint http,
        String rack,
        List<String> directoryIds,
        long continuesEpoch) {
    /** The value of {@link #continuesEpoch} when nothing is proven. */
    public static final long PROVES_NOTHING = -1;

    public BrokerRegistration {
        directoryIds = List.copyOf(directoryIds);
    }

    /** The same registration as created under {@code epoch}. */
    public BrokerRegistration withBrokerEpoch(long epoch) {
        return new BrokerRegistration(id, epoch, processNonce, client, peer, http, rack, directoryIds, continuesEpoch);
    }
}
